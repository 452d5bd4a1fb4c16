package standing

import (
	"net/http"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Option changes a Client under construction.
type Option func(*Client)

// WithBaseURL replaces the address of the service, for instance with a proxy's.
func WithBaseURL(base string) Option {
	return func(c *Client) { c.base = strings.TrimRight(base, "/") }
}

// WithKey sends the key as X-API-KEY.
func WithKey(key string) Option {
	return func(c *Client) { c.key = key }
}

// WithHTTPClient replaces http.DefaultClient.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) { c.http = h }
}

// WithRate allows n requests in the given time.
func WithRate(n int, per time.Duration) Option {
	return func(c *Client) { c.limiter = rate.NewLimiter(rate.Every(per/time.Duration(n)), n) }
}

// WithRetries tries again after 429 and 5xx.
func WithRetries(n int) Option {
	return func(c *Client) { c.retries = n }
}
