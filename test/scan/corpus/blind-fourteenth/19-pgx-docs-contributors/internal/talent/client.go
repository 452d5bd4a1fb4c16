package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
)

var validate = validator.New(validator.WithRequiredStructEnabled())

type Client struct {
	baseURL string
	apiKey  string
	hc      *http.Client
}

type Option func(*Client)

func WithBaseURL(u string) Option {
	return func(c *Client) {
		if u != "" {
			c.baseURL = strings.TrimRight(u, "/")
		}
	}
}

func NewClient(apiKey string, opts ...Option) *Client {
	c := &Client{baseURL: "https://api.talentprotocol.com/api/v1", apiKey: apiKey, hc: &http.Client{Timeout: 20 * time.Second}}
	for _, o := range opts {
		o(c)
	}
	return c
}

type StatusError struct {
	Code int
	Path string
}

func (e *StatusError) Error() string { return fmt.Sprintf("talent %s: status %d", e.Path, e.Code) }

func fetch[T any](ctx context.Context, c *Client, format string, args ...any) (*T, error) {
	path := fmt.Sprintf(format, args...)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.baseURL+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", c.apiKey)
	resp, err := c.hc.Do(req)
	if err != nil {
		return nil, fmt.Errorf("talent %s: %w", path, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, &StatusError{resp.StatusCode, path}
	}
	out := new(T)
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return nil, err
	}
	return out, validate.Struct(out)
}

func (c *Client) GetPassport(ctx context.Context, id string) (*Passport, error) {
	r, err := fetch[passportResponse](ctx, c, "/passports/%s", id)
	if err != nil {
		return nil, err
	}
	return &r.Passport, nil
}

func (c *Client) ListCredentials(ctx context.Context, passportID int64) ([]Credential, error) {
	r, err := fetch[credentialsResponse](ctx, c, "/passport_credentials?passport_id=%d", passportID)
	if err != nil {
		return nil, err
	}
	return r.Credentials, nil
}
