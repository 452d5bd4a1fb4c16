package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source string `json:"source"`
	URL    string `json:"profile_url"`
	Handle string `json:"profile_name"`
}

type Cook struct {
	ID       int      `json:"passport_id"`
	Score    float64  `json:"score"`
	Activity float64  `json:"activity_score"`
	Human    bool     `json:"human_checkmark"`
	Pending  bool     `json:"calculating_score"`
	Profile  Profile  `json:"passport_profile"`
	Socials  []Social `json:"passport_socials"`
}

type Credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	EarnedAt *string `json:"earned_at"`
}

type Client struct {
	http *http.Client
	base string
	key  string
}

func New(hc *http.Client, base, key string) *Client {
	return &Client{http: hc, base: base + "/api/v1", key: key}
}

func (c *Client) do(ctx context.Context, path string, q url.Values, out any) error {
	u := c.base + path
	if len(q) > 0 {
		u += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("talent: %w", err)
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

func (c *Client) Cook(ctx context.Context, id string) (Cook, error) {
	var out struct {
		Passport Cook `json:"passport"`
	}
	err := c.do(ctx, "/passports/"+url.PathEscape(id), nil, &out)
	return out.Passport, err
}

func (c *Client) Search(ctx context.Context, name string) ([]Cook, int, error) {
	var out struct {
		Passports  []Cook `json:"passports"`
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	err := c.do(ctx, "/passports", url.Values{"keyword": {name}}, &out)
	return out.Passports, out.Pagination.Total, err
}

func (c *Client) Credentials(ctx context.Context, id int) []Credential {
	var out struct {
		Items []Credential `json:"passport_credentials"`
	}
	q := url.Values{"passport_id": {fmt.Sprint(id)}}
	if err := c.do(ctx, "/passport_credentials", q, &out); err != nil {
		return nil
	}
	return out.Items
}
