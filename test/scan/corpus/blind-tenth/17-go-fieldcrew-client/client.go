package talentapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-playground/validator/v10"
)

const apiVersion = "/api/v1"

// ErrUnauthorized is returned for a missing, wrong or exhausted key.
var ErrUnauthorized = errors.New("talentapi: unauthorized")

var validate = validator.New()

// Doer is satisfied by *http.Client.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Client reads passports and credentials.
type Client struct {
	host string
	key  string
	doer Doer
}

// Option configures a Client.
type Option func(*Client)

// WithKey sets the API key.
func WithKey(key string) Option { return func(c *Client) { c.key = key } }

// WithDoer replaces http.DefaultClient.
func WithDoer(d Doer) Option { return func(c *Client) { c.doer = d } }

// New returns a Client for a host such as https://api.talentprotocol.com.
func New(host string, opts ...Option) *Client {
	c := &Client{host: host, doer: http.DefaultClient}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

func (c *Client) get(ctx context.Context, resource string, query url.Values, out any) error {
	u := c.host + apiVersion + resource
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	res, err := c.doer.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusUnauthorized:
		return ErrUnauthorized
	case res.StatusCode >= 300:
		return fmt.Errorf("talentapi: %s: %s", resource, res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return fmt.Errorf("talentapi: decode %s: %w", resource, err)
	}
	return nil
}

// Passport looks a person up by id or wallet.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var envelope struct {
		Passport Passport `json:"passport"`
	}
	if err := c.get(ctx, "/passports/"+url.PathEscape(id), nil, &envelope); err != nil {
		return nil, err
	}
	return &envelope.Passport, validate.StructCtx(ctx, &envelope.Passport)
}

// Credentials lists what a person has earned.
func (c *Client) Credentials(ctx context.Context, passportID int64) ([]Credential, error) {
	var envelope struct {
		Credentials []Credential `json:"passport_credentials" validate:"dive"`
	}
	q := url.Values{"passport_id": {strconv.FormatInt(passportID, 10)}}
	if err := c.get(ctx, "/passport_credentials", q, &envelope); err != nil {
		return nil, err
	}
	return envelope.Credentials, validate.StructCtx(ctx, &envelope)
}

// Search walks all pages.
func (c *Client) Search(ctx context.Context, keyword string) iter.Seq2[Passport, error] {
	return func(yield func(Passport, error) bool) {
		for page := 1; ; page++ {
			var list struct {
				Passports  []Passport `json:"passports"`
				Pagination struct {
					CurrentPage int `json:"current_page"`
					LastPage    int `json:"last_page"`
				} `json:"pagination"`
			}
			q := url.Values{"keyword": {keyword}, "page": {strconv.Itoa(page)}}
			if err := c.get(ctx, "/passports", q, &list); err != nil {
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
