package talent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

var ErrNotFound = errors.New("talent: passport not found")

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source        string `json:"source"`
	URL           string `json:"profile_url"`
	FollowerCount string `json:"follower_count"`
}

type Passport struct {
	ID              int64      `json:"passport_id"`
	Score           float64    `json:"score"`
	HumanCheckmark  bool       `json:"human_checkmark"`
	MainWallet      string     `json:"main_wallet"`
	VerifiedWallets []string   `json:"verified_wallets"`
	CalculatedAt    *time.Time `json:"last_calculated_at"`
	Profile         *Profile   `json:"passport_profile"`
	Socials         []Social   `json:"passport_socials"`
}

type Credential struct {
	Type  string  `json:"type"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

type Client struct {
	BaseURL string
	APIKey  string
	HTTP    *http.Client
}

func (c *Client) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.BaseURL+"/api/v1"+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.APIKey)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case resp.StatusCode >= 300:
		return fmt.Errorf("talent: %s: %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var body struct {
		Passport Passport `json:"passport"`
	}
	if err := c.get(ctx, "/passports/"+url.PathEscape(id), &body); err != nil {
		return nil, err
	}
	return &body.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, passportID int64) ([]Credential, error) {
	var body struct {
		Credentials []Credential `json:"passport_credentials"`
	}
	q := url.Values{"passport_id": {fmt.Sprint(passportID)}}
	if err := c.get(ctx, "/passport_credentials?"+q.Encode(), &body); err != nil {
		return nil, err
	}
	return body.Credentials, nil
}
