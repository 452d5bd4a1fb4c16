// Package talent talks to the reputation service.
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

var ErrNotFound = errors.New("talent: not found")

type Person struct {
	ID          int64      `json:"passport_id"`
	Score       float64    `json:"score"`
	Identity    float64    `json:"identity_score"`
	Human       bool       `json:"human_checkmark"`
	Calculating bool       `json:"calculating_score"`
	CalcAt      *time.Time `json:"last_calculated_at"`
	Wallets     []string   `json:"verified_wallets"`
	Profile     Profile    `json:"passport_profile"`
	Socials     []Social   `json:"passport_socials"`
}

type Profile struct {
	DisplayName string `json:"display_name"`
	Location    string `json:"location"`
}

type Social struct {
	Source string `json:"source"`
	URL    string `json:"profile_url"`
}

type Credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
}

type Client struct {
	base *url.URL
	key  string
	hc   *http.Client
}

func New(base, key string) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("talent: base url: %w", err)
	}
	return &Client{base: u.JoinPath("api", "v1"), key: key, hc: &http.Client{Timeout: 5 * time.Second}}, nil
}

func (c *Client) do(ctx context.Context, u *url.URL, dst any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	res, err := c.hc.Do(req)
	if err != nil {
		return fmt.Errorf("talent: %w", err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("talent: unexpected status %s", res.Status)
	}
	return json.NewDecoder(res.Body).Decode(dst)
}

func (c *Client) Person(ctx context.Context, wallet string) (*Person, error) {
	var out struct {
		Passport *Person `json:"passport"`
	}
	if err := c.do(ctx, c.base.JoinPath("passports", wallet), &out); err != nil {
		return nil, err
	}
	if out.Passport == nil {
		return nil, ErrNotFound
	}
	return out.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, id int64) ([]Credential, error) {
	u := c.base.JoinPath("passport_credentials")
	u.RawQuery = url.Values{"passport_id": {fmt.Sprint(id)}}.Encode()
	var out struct {
		Items []Credential `json:"passport_credentials"`
	}
	if err := c.do(ctx, u, &out); err != nil {
		return nil, err
	}
	return out.Items, nil
}
