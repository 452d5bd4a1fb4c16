// Package scheme talks to the register of contractor safety passports.
package scheme

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

var ErrNotHeld = errors.New("no safety passport held")

type Passport struct {
	Number      string    `json:"passport_number"`
	Holder      Holder    `json:"holder"`
	TestScore   int       `json:"score"`
	MaxScore    int       `json:"max_score"`
	ExpiresAt   time.Time `json:"expires_at"`
	Endorsement []string  `json:"endorsements"`
}

type Holder struct {
	DisplayName string `json:"display_name"`
	Employer    string `json:"employer"`
	PhotoURL    string `json:"photo_url"`
}

type Credential struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Name     string    `json:"name"`
	EarnedAt time.Time `json:"earned_at"`
}

type Client struct {
	BaseURL string
	Token   string
	HTTP    *http.Client
}

func (c *Client) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.BaseURL+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.Token)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return json.NewDecoder(resp.Body).Decode(out)
	case http.StatusNotFound:
		return ErrNotHeld
	default:
		return fmt.Errorf("scheme: %s", resp.Status)
	}
}

func (c *Client) Passport(ctx context.Context, number string) (*Passport, error) {
	var out Passport
	if err := c.get(ctx, "/v2/safety-passports/"+url.PathEscape(number), &out); err != nil {
		return nil, err
	}
	return &out, nil
}

func (c *Client) Credentials(ctx context.Context, number string) ([]Credential, error) {
	var out struct {
		Credentials []Credential `json:"credentials"`
	}
	err := c.get(ctx, "/v2/safety-passports/"+url.PathEscape(number)+"/credentials", &out)
	return out.Credentials, err
}
