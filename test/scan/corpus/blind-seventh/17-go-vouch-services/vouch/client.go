// Package vouch is a client for the builder passport API, in the manner of go-github:
// one service for each resource, and Do for everything.
package vouch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-querystring/query"
)

const defaultBaseURL = "https://api.talentprotocol.com/api/v1/"

type Client struct {
	BaseURL *url.URL

	http     *http.Client
	key      string
	validate *validator.Validate

	Passports   *PassportsService
	Credentials *CredentialsService
}

type Option func(*Client)

func WithKey(key string) Option             { return func(c *Client) { c.key = key } }
func WithHTTPClient(hc *http.Client) Option { return func(c *Client) { c.http = hc } }

func WithBaseURL(raw string) Option {
	return func(c *Client) {
		if u, err := url.Parse(strings.TrimSuffix(raw, "/") + "/"); err == nil {
			c.BaseURL = u
		}
	}
}

func New(opts ...Option) *Client {
	base, _ := url.Parse(defaultBaseURL)
	c := &Client{BaseURL: base, http: http.DefaultClient, validate: validator.New()}
	for _, opt := range opts {
		opt(c)
	}
	c.Passports = &PassportsService{c}
	c.Credentials = &CredentialsService{c}
	return c
}

// ErrorResponse is returned for every answer that is not 2xx.
type ErrorResponse struct {
	Status  int
	Message string `json:"error"`
}

func (e *ErrorResponse) Error() string { return fmt.Sprintf("vouch: %d %s", e.Status, e.Message) }

func (c *Client) newRequest(ctx context.Context, path string, opts any) (*http.Request, error) {
	u, err := c.BaseURL.Parse(path)
	if err != nil {
		return nil, err
	}
	if opts != nil {
		values, err := query.Values(opts)
		if err != nil {
			return nil, err
		}
		u.RawQuery = values.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if c.key != "" {
		req.Header.Set("X-API-KEY", c.key)
	}
	return req, nil
}

func (c *Client) do(req *http.Request, v any) error {
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		e := &ErrorResponse{Status: resp.StatusCode}
		_ = json.NewDecoder(resp.Body).Decode(e)
		return e
	}
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		return err
	}
	return c.validate.Struct(v)
}
