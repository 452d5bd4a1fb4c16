// Package talentprotocol is a small client of the Talent Protocol passport API.
package talentprotocol

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// DefaultBaseURL is the public endpoint.
const DefaultBaseURL = "https://api.talentprotocol.com/api/v1/"

// Option configures a Client.
type Option func(*Client)

// Client of the API.
type Client struct {
	base *url.URL
	key  string
	hc   *http.Client
}

// WithHTTPClient replaces the http client.
func WithHTTPClient(hc *http.Client) Option { return func(c *Client) { c.hc = hc } }

// WithBaseURL replaces the address, for tests.
func WithBaseURL(raw string) Option {
	return func(c *Client) {
		if u, err := url.Parse(raw); err == nil {
			c.base = u
		}
	}
}

// New makes a client.
func New(key string, opts ...Option) *Client {
	base, _ := url.Parse(DefaultBaseURL)
	c := &Client{base: base, key: key, hc: http.DefaultClient}
	for _, o := range opts {
		o(c)
	}
	return c
}

// APIError is any answer but 200.
type APIError struct {
	Status int
	Body   string
}

func (e *APIError) Error() string { return fmt.Sprintf("talent protocol: %d: %s", e.Status, e.Body) }

func do[T any](ctx context.Context, c *Client, ref string) (*T, error) {
	u, err := c.base.Parse(ref)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", c.key)
	res, err := c.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(io.LimitReader(res.Body, 512))
		return nil, &APIError{Status: res.StatusCode, Body: string(b)}
	}
	out := new(T)
	return out, json.NewDecoder(res.Body).Decode(out)
}

// ListPassports returns one page.
func (c *Client) ListPassports(ctx context.Context, keyword string, page int) (*PassportsResponse, error) {
	q := url.Values{}
	if keyword != "" {
		q.Set("keyword", keyword)
	}
	q.Set("page", strconv.Itoa(page))
	return do[PassportsResponse](ctx, c, "passports?"+q.Encode())
}

// AllPassports walks every page.
func (c *Client) AllPassports(ctx context.Context, keyword string) ([]Passport, error) {
	var all []Passport
	for page := 1; ; page++ {
		res, err := c.ListPassports(ctx, keyword, page)
		if err != nil {
			return all, err
		}
		all = append(all, res.Passports...)
		if res.Pagination.CurrentPage >= res.Pagination.LastPage {
			return all, nil
		}
	}
}

// GetPassport by wallet or id.
func (c *Client) GetPassport(ctx context.Context, id string) (*Passport, error) {
	res, err := do[struct {
		Passport *Passport `json:"passport"`
	}](ctx, c, "passports/"+url.PathEscape(id))
	if err != nil {
		return nil, err
	}
	return res.Passport, nil
}
