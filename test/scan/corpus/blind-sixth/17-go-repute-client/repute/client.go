// Package repute is a small client for the passport and credentials endpoints.
package repute

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
)

const DefaultBaseURL = "https://api.talentprotocol.com/api/v1"

var validate = validator.New(validator.WithRequiredStructEnabled())

// Client is safe for concurrent use.
type Client struct {
	base string
	key  string
	doer interface {
		Do(*http.Request) (*http.Response, error)
	}
	retries int
}

type Option func(*Client)

func WithBaseURL(u string) Option { return func(c *Client) { c.base = strings.TrimSuffix(u, "/") } }
func WithKey(k string) Option     { return func(c *Client) { c.key = k } }
func WithRetries(n int) Option    { return func(c *Client) { c.retries = n } }
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) { c.doer = h }
}

func New(opts ...Option) *Client {
	c := &Client{base: DefaultBaseURL, doer: http.DefaultClient, retries: 1}
	for _, o := range opts {
		o(c)
	}
	return c
}

// StatusError is any answer other than 200.
type StatusError struct {
	Code int
	Body string
}

func (e *StatusError) Error() string { return fmt.Sprintf("repute: status %d: %s", e.Code, e.Body) }

func call[T any](ctx context.Context, c *Client, path string, q url.Values) (*T, error) {
	target := c.base + path
	if len(q) > 0 {
		target += "?" + q.Encode()
	}
	var last error
	for i := 0; i <= c.retries; i++ {
		if i > 0 {
			time.Sleep(time.Duration(i) * 500 * time.Millisecond)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
		if err != nil {
			return nil, err
		}
		req.Header.Set("X-API-KEY", c.key)
		res, err := c.doer.Do(req)
		if err != nil {
			last = err
			continue
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, 4<<20))
		res.Body.Close()
		if err != nil {
			last = err
			continue
		}
		if res.StatusCode != http.StatusOK {
			last = &StatusError{Code: res.StatusCode, Body: string(body)}
			if res.StatusCode < 500 {
				return nil, last
			}
			continue
		}
		out := new(T)
		if err := json.Unmarshal(body, out); err != nil {
			return nil, fmt.Errorf("repute: decode %s: %w", path, err)
		}
		if err := validate.StructCtx(ctx, out); err != nil {
			return nil, fmt.Errorf("repute: unexpected answer of %s: %w", path, err)
		}
		return out, nil
	}
	return nil, last
}
