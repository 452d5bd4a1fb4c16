package talentkit

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-playground/validator/v10"
)

type StatusError struct {
	Code int
	Path string
}

func (e *StatusError) Error() string { return fmt.Sprintf("%s: status %d", e.Path, e.Code) }

type Client struct {
	base     string
	key      string
	http     *http.Client
	validate *validator.Validate
}

type Option func(*Client)

func WithKey(key string) Option           { return func(c *Client) { c.key = key } }
func WithHTTP(client *http.Client) Option { return func(c *Client) { c.http = client } }

func New(base string, options ...Option) *Client {
	c := &Client{base: base, http: http.DefaultClient, validate: validator.New()}
	for _, o := range options {
		o(c)
	}
	return c
}

func (c *Client) do(ctx context.Context, path string, query url.Values, out any) error {
	u := c.base + "/api/v1" + path
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	if c.key != "" {
		req.Header.Set("X-API-KEY", c.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &StatusError{resp.StatusCode, path}
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return err
	}
	return c.validate.Struct(out)
}

// Passports gives all passports that match the keyword, page after page.
func (c *Client) Passports(ctx context.Context, keyword string) iter.Seq2[Passport, error] {
	return func(yield func(Passport, error) bool) {
		for n := 1; ; n++ {
			query := url.Values{"page": {strconv.Itoa(n)}}
			if keyword != "" {
				query.Set("keyword", keyword)
			}
			var p page
			if err := c.do(ctx, "/passports", query, &p); err != nil {
				yield(Passport{}, err)
				return
			}
			for _, passport := range p.Passports {
				if !yield(passport, nil) {
					return
				}
			}
			if p.Pagination.CurrentPage >= p.Pagination.LastPage {
				return
			}
		}
	}
}

func (c *Client) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	var out struct {
		PassportCredentials []Credential `json:"passport_credentials" validate:"dive"`
	}
	query := url.Values{"passport_id": {strconv.Itoa(passportID)}}
	err := c.do(ctx, "/passport_credentials", query, &out)
	return out.PassportCredentials, err
}
