package crew

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/go-playground/validator/v10"
)

var ErrUnknown = errors.New("crew: no such person")

type Passport struct {
	PassportID       int64      `json:"passport_id" validate:"required"`
	Score            *int       `json:"score"`
	SkillsScore      int        `json:"skills_score"`
	HumanCheckmark   bool       `json:"human_checkmark"`
	MainWallet       string     `json:"main_wallet" validate:"required,startswith=0x"`
	VerifiedWallets  []string   `json:"verified_wallets"`
	LastCalculatedAt *time.Time `json:"last_calculated_at"`
	PassportProfile  *Profile   `json:"passport_profile" validate:"required"`
}

type Profile struct {
	DisplayName string   `json:"display_name" validate:"required"`
	Tags        []string `json:"tags" validate:"omitempty,dive,max=64"`
}

type Credential struct {
	ID    string  `json:"id" validate:"required"`
	Type  string  `json:"type" validate:"required"`
	Value *string `json:"value"`
}

type Client struct {
	endpoint *url.URL
	apiKey   string
	http     *http.Client
	validate *validator.Validate
}

func NewFromEnv() *Client {
	raw := os.Getenv("CREW_API")
	if raw == "" {
		raw = "https://api.talentprotocol.com/api/v1"
	}
	u, err := url.Parse(raw)
	if err != nil {
		panic(err)
	}
	return &Client{endpoint: u, apiKey: os.Getenv("CREW_API_KEY"), http: &http.Client{Timeout: 10 * time.Second}, validate: validator.New()}
}

func (c *Client) get(ctx context.Context, u *url.URL, dst any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return err
	}
	if c.apiKey != "" {
		req.Header.Set("X-Api-Key", c.apiKey)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return ErrUnknown
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("crew: %s: %s", u.Path, res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(dst); err != nil {
		return err
	}
	return c.validate.StructCtx(ctx, dst)
}

func (c *Client) Passport(ctx context.Context, wallet string) (*Passport, error) {
	var body struct {
		Passport *Passport `json:"passport" validate:"required"`
	}
	if err := c.get(ctx, c.endpoint.JoinPath("passports", wallet), &body); err != nil {
		return nil, err
	}
	return body.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, passportID int64) ([]Credential, error) {
	u := c.endpoint.JoinPath("passport_credentials")
	u.RawQuery = url.Values{"passport_id": {fmt.Sprintf("%d", passportID)}}.Encode()
	var body struct {
		Credentials []Credential `json:"passport_credentials" validate:"dive"`
	}
	err := c.get(ctx, u, &body)
	return body.Credentials, err
}
