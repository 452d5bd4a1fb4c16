// Package reputation is a small client of the passport service.
package reputation

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

type Client struct {
	BaseURL string
	APIKey  string
	HTTP    *http.Client
}

type Passport struct {
	PassportID      int      `json:"passport_id"` // hazard: integer-id
	Score           float64  `json:"score"`
	Calculating     bool     `json:"calculating_score"`
	VerifiedWallets []string `json:"verified_wallets"`
	Socials         []Social `json:"passport_socials"`
}

type Social struct {
	Source        string `json:"source"`
	ProfileName   string `json:"profile_name"`
	FollowerCount string `json:"follower_count"`
}

type Page struct {
	Passports  []Passport `json:"passports"`
	Pagination struct {
		Current int `json:"current_page"`
		Last    int `json:"last_page"`
	} `json:"pagination"`
}

func (c *Client) get(ctx context.Context, path string, q url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, "GET", c.BaseURL+path+"?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.APIKey)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

// Passport looks a passport up by its id or by a wallet.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var out struct{ Passport *Passport }
	err := c.get(ctx, "/api/v1/passports/"+id, nil, &out) // call: passport
	return out.Passport, err
}

// Each calls fn for every passport of the list until fn fails.
func (c *Client) Each(ctx context.Context, keyword string, fn func(Passport) error) error {
	for n := 1; ; n++ {
		var page Page
		q := url.Values{"keyword": {keyword}, "page": {strconv.Itoa(n)}}
		if err := c.get(ctx, "/api/v1/passports", q, &page); err != nil { // call: passport-list
			return err
		}
		for _, p := range page.Passports {
			if err := fn(p); err != nil {
				return err
			}
		}
		if page.Pagination.Current >= page.Pagination.Last { // read: pagination.current_page, pagination.last_page
			return nil
		}
	}
}
