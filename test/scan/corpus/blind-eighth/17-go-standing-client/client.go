// Package standing is a client of the passport service's first version.
package standing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-playground/validator/v10"
	"golang.org/x/time/rate"
)

const (
	defaultBase = "https://api.talentprotocol.com"
	version     = "/api/v1"
)

var (
	ErrUnauthorized = errors.New("standing: key refused or quota used up")
	ErrNotFound     = errors.New("standing: no such passport")
)

type Client struct {
	base     string
	key      string
	http     *http.Client
	limiter  *rate.Limiter
	retries  int
	validate *validator.Validate
}

func New(opts ...Option) *Client {
	c := &Client{
		base:     defaultBase,
		http:     http.DefaultClient,
		limiter:  rate.NewLimiter(rate.Inf, 1),
		validate: validator.New(validator.WithRequiredStructEnabled()),
	}
	for _, o := range opts {
		o(c)
	}
	return c
}

func (c *Client) do(ctx context.Context, resource string, query url.Values, out any) error {
	u := c.base + version + resource
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	for attempt := 0; ; attempt++ {
		if err := c.limiter.Wait(ctx); err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
		if err != nil {
			return err
		}
		if c.key != "" {
			req.Header.Set("X-API-KEY", c.key)
		}
		res, err := c.http.Do(req)
		if err != nil {
			return fmt.Errorf("standing: %s: %w", resource, err)
		}
		if (res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500) && attempt < c.retries {
			res.Body.Close()
			time.Sleep(time.Duration(attempt+1) * time.Second)
			continue
		}
		return c.decode(res, out)
	}
}

func (c *Client) decode(res *http.Response, out any) error {
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusNotFound:
		return ErrNotFound
	default:
		return fmt.Errorf("standing: unexpected status %s", res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return err
	}
	return c.validate.Struct(out)
}

// Passport looks a person up by passport id or wallet.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var env struct {
		Passport *Passport `json:"passport" validate:"required"`
	}
	if err := c.do(ctx, "/passports/"+url.PathEscape(id), nil, &env); err != nil {
		return nil, err
	}
	return env.Passport, nil
}

// Credentials lists what the score of a passport is made of.
func (c *Client) Credentials(ctx context.Context, id string) ([]Credential, error) {
	var env struct {
		Items []Credential `json:"passport_credentials" validate:"dive"`
	}
	err := c.do(ctx, "/passport_credentials", url.Values{"passport_id": {id}}, &env)
	return env.Items, err
}

// List is one page of the passports, best first.
func (c *Client) List(ctx context.Context, keyword string, page int) (*Page, error) {
	q := url.Values{"page": {strconv.Itoa(page)}}
	if keyword != "" {
		q.Set("keyword", keyword)
	}
	out := new(Page)
	if err := c.do(ctx, "/passports", q, out); err != nil {
		return nil, err
	}
	return out, nil
}

// All walks over every page.
func (c *Client) All(ctx context.Context, keyword string) iter.Seq2[*Passport, error] {
	return func(yield func(*Passport, error) bool) {
		for page := 1; ; page++ {
			got, err := c.List(ctx, keyword, page)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range got.Passports {
				if !yield(&got.Passports[i], nil) {
					return
				}
			}
			if got.Pagination.CurrentPage >= got.Pagination.LastPage {
				return
			}
		}
	}
}
