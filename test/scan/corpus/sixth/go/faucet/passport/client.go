package passport

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

type Profile struct {
	Bio         string   `json:"bio"`
	DisplayName string   `json:"display_name"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Passport struct {
	PassportID       int       `json:"passport_id"` // hazard: integer-id
	Score            float64   `json:"score"`
	HumanCheckmark   bool      `json:"human_checkmark"`
	CalculatingScore bool      `json:"calculating_score"`
	LastCalculatedAt time.Time `json:"last_calculated_at"`
	VerifiedWallets  []string  `json:"verified_wallets"`
	Profile          Profile   `json:"passport_profile"`
}

type Credential struct {
	Type  string  `json:"type"`
	Score float64 `json:"score"`
	Name  string  `json:"name"`
}

type Client struct {
	BaseURL string
	APIKey  string
	HTTP    *http.Client
}

func (c *Client) GetPassport(ctx context.Context, id string) (*Passport, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/v1/passports/%s", c.BaseURL, id), nil) // call: passport
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", c.APIKey)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("passport %s: status %d", id, resp.StatusCode)
	}
	var out struct {
		Passport Passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("decode passport: %w", err)
	}
	return &out.Passport, nil
}

func (c *Client) GetCredentials(ctx context.Context, id int) ([]Credential, error) {
	u := c.BaseURL + "/api/v1/passport_credentials?" + url.Values{"passport_id": {fmt.Sprint(id)}}.Encode()
	resp, err := c.HTTP.Get(u) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct {
		PassportCredentials []Credential `json:"passport_credentials"`
	}
	json.NewDecoder(resp.Body).Decode(&out) // hazard: catch-default
	return out.PassportCredentials, nil
}
