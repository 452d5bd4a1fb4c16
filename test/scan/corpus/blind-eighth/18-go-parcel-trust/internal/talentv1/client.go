// Package talentv1 reads carriers' reputation from the passport service.
package talentv1

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type Record struct {
	PassportID     int      `json:"passport_id"`
	Score          float64  `json:"score"`
	IdentityScore  float64  `json:"identity_score"`
	HumanCheckmark bool     `json:"human_checkmark"`
	Calculating    bool     `json:"calculating_score"`
	MainWallet     string   `json:"main_wallet"`
	Wallets        []string `json:"verified_wallets"`
	Merged         bool     `json:"merged"`
	Profile        Profile  `json:"passport_profile"`
}

type Profile struct {
	DisplayName string `json:"display_name"`
	Location    string `json:"location"`
}

type Credential struct {
	Type       string  `json:"type"`
	Category   string  `json:"category"`
	Score      float64 `json:"score"`
	Calculated string  `json:"last_calculated_at"`
}

type Client struct {
	// Endpoint is the address with the version, such as https://api.talentprotocol.com/api/v1.
	Endpoint string
	APIKey   string
	HTTP     *http.Client
}

func (c *Client) fetch(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Add("X-API-KEY", c.APIKey)
	return c.HTTP.Do(req)
}

func (c *Client) Lookup(ctx context.Context, wallet string) (*Record, error) {
	res, err := c.fetch(ctx, fmt.Sprintf("%s/passports/%s", c.Endpoint, wallet))
	if err != nil {
		return nil, fmt.Errorf("lookup %s: %w", wallet, err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return nil, fmt.Errorf("lookup %s: status %d", wallet, res.StatusCode)
	}
	var body struct {
		Passport Record `json:"passport"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		return nil, fmt.Errorf("lookup %s: %w", wallet, err)
	}
	return &body.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	res, err := c.fetch(ctx, fmt.Sprintf("%s/passport_credentials?passport_id=%d", c.Endpoint, passportID))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var body struct {
		Credentials []Credential `json:"passport_credentials"`
	}
	err = json.NewDecoder(res.Body).Decode(&body)
	return body.Credentials, err
}
