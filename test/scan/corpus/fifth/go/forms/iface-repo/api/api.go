package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

type Client struct {
	Base *url.URL
	HTTP interface{ Do(*http.Request) (*http.Response, error) }
}

type Passport struct {
	Score     float64   `json:"score"`
	Verified  []string  `json:"verified_wallets"`
	Calculating bool    `json:"calculating_score"`
}

func (c *Client) do(ctx context.Context, method, path string, query url.Values, out interface{}) error {
	u := *c.Base
	u.Path = path
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

func (c *Client) Get(ctx context.Context, id string) (*Passport, error) {
	var body struct {
		*Passport `json:"passport"`
	}
	err := c.do(ctx, http.MethodGet, "/api/v1/passports/"+id, nil, &body) // call: passport
	return body.Passport, err
}
