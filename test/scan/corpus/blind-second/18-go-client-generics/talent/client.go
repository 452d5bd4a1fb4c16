// Package talent is a small client for Talent Protocol passports.
package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"
)

// DefaultBaseURL is used when Client.BaseURL is empty.
const DefaultBaseURL = "https://api.talentprotocol.com/api/v1"

var validate = validator.New(validator.WithRequiredStructEnabled())

// Error is returned for every status but 200.
type Error struct {
	Status int
	Path   string
}

func (e *Error) Error() string { return fmt.Sprintf("talent: %s: status %d", e.Path, e.Status) }

// Client talks to the API. The zero value works without a key.
type Client struct {
	BaseURL string
	APIKey  string
	HTTP    *http.Client
}

func get[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	var out T
	base := c.BaseURL
	if base == "" {
		base = DefaultBaseURL
	}
	u := strings.TrimRight(base, "/") + path
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return out, err
	}
	if c.APIKey != "" {
		req.Header.Set("X-API-KEY", c.APIKey)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return out, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return out, &Error{Status: res.StatusCode, Path: path}
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return out, fmt.Errorf("talent: decode %s: %w", path, err)
	}
	return out, validate.Struct(out)
}

// Passport looks a passport up by its id or by a wallet.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	env, err := get[passportEnvelope](ctx, c, "/passports/"+url.PathEscape(id), nil)
	if err != nil {
		return nil, err
	}
	return &env.Passport, nil
}

// Credentials returns the credentials of a passport.
func (c *Client) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	q := url.Values{"passport_id": {strconv.Itoa(passportID)}}
	env, err := get[credentialsEnvelope](ctx, c, "/passport_credentials", q)
	return env.Credentials, err
}

// All walks over all pages of the list.
func (c *Client) All(ctx context.Context, keyword string) iter.Seq2[Passport, error] {
	return func(yield func(Passport, error) bool) {
		for page := 1; ; page++ {
			q := url.Values{"page": {strconv.Itoa(page)}}
			if keyword != "" {
				q.Set("keyword", keyword)
			}
			list, err := get[passportList](ctx, c, "/passports", q)
			if err != nil {
				yield(Passport{}, err)
				return
			}
			for _, p := range list.Passports {
				if !yield(p, nil) {
					return
				}
			}
			if list.Pagination.CurrentPage >= list.Pagination.LastPage {
				return
			}
		}
	}
}
