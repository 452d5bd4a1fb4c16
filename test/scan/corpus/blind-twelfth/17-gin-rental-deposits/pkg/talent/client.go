// Package talent is a small client for the Talent API.
package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
)

const (
	defaultBaseURL = "https://api.talentprotocol.com/api/v1"
	userAgent      = "keyhold-deposits/1.4"
)

var validate = validator.New()

// APIError is returned for every answer that is not a 200.
type APIError struct {
	StatusCode int
	Path       string
}

func (e *APIError) Error() string {
	return fmt.Sprintf("talent: %s answered %d", e.Path, e.StatusCode)
}

type Option func(*Client)

func WithBaseURL(u string) Option { return func(c *Client) { c.baseURL = strings.TrimRight(u, "/") } }

func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

type Client struct {
	baseURL string
	apiKey  string
	http    *http.Client
}

func New(apiKey string, opts ...Option) *Client {
	c := &Client{baseURL: defaultBaseURL, apiKey: apiKey, http: &http.Client{Timeout: 10 * time.Second}}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

func (c *Client) GetPassport(ctx context.Context, id string) (*Passport, error) {
	var body struct {
		Passport *Passport `json:"passport" validate:"required"`
	}
	if err := c.get(ctx, "/passports/"+url.PathEscape(id), nil, &body); err != nil {
		return nil, err
	}
	return body.Passport, nil
}

func (c *Client) ListCredentials(ctx context.Context, passportID int) ([]Credential, error) {
	var body struct {
		Credentials []Credential `json:"passport_credentials" validate:"dive"`
	}
	params := url.Values{}
	params.Set("passport_id", strconv.Itoa(passportID))
	if err := c.get(ctx, "/passport_credentials", params, &body); err != nil {
		return nil, err
	}
	return body.Credentials, nil
}

func (c *Client) get(ctx context.Context, path string, params url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.baseURL+path, nil)
	if err != nil {
		return err
	}
	req.URL.RawQuery = params.Encode()
	req.Header.Set("User-Agent", userAgent)
	if c.apiKey != "" {
		req.Header.Set("X-API-KEY", c.apiKey)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("talent: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &APIError{StatusCode: resp.StatusCode, Path: path}
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("talent: decode %s: %w", path, err)
	}
	return validate.Struct(out)
}
