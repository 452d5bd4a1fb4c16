package builderrep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"golang.org/x/time/rate"
)

const (
	DefaultEndpoint = "https://api.talentprotocol.com/api/v1"

	pathPassports   = "/passports"
	pathCredentials = "/passport_credentials"
)

var (
	ErrUnauthorized = errors.New("builderrep: unauthorized")
	ErrNotFound     = errors.New("builderrep: not found")
)

type Option func(*Client)

type Client struct {
	endpoint string
	apiKey   string
	http     *http.Client
	limiter  *rate.Limiter
}

func WithEndpoint(u string) Option { return func(c *Client) { c.endpoint = u } }

func New(apiKey string, opts ...Option) *Client {
	c := &Client{
		endpoint: DefaultEndpoint,
		apiKey:   apiKey,
		http:     http.DefaultClient,
		limiter:  rate.NewLimiter(2, 5),
	}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

func fetch[T any](ctx context.Context, c *Client, path string, q url.Values) (*T, error) {
	if err := c.limiter.Wait(ctx); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.endpoint+path, nil)
	if err != nil {
		return nil, err
	}
	req.URL.RawQuery = q.Encode()
	req.Header.Set("X-API-KEY", c.apiKey)
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized:
		return nil, ErrUnauthorized
	case http.StatusNotFound:
		return nil, ErrNotFound
	default:
		return nil, fmt.Errorf("builderrep: %s", res.Status)
	}
	out := new(T)
	return out, json.NewDecoder(res.Body).Decode(out)
}

func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	res, err := fetch[passportResponse](ctx, c, pathPassports+"/"+url.PathEscape(id), nil)
	if err != nil {
		return nil, err
	}
	return &res.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, p *Passport) ([]Credential, error) {
	q := url.Values{"passport_id": {strconv.Itoa(p.PassportID)}}
	res, err := fetch[credentialsResponse](ctx, c, pathCredentials, q)
	if err != nil {
		return nil, err
	}
	return res.PassportCredentials, nil
}

// All walks every page of a search.
func (c *Client) All(ctx context.Context, keyword string) iter.Seq2[*Passport, error] {
	return func(yield func(*Passport, error) bool) {
		for page := 1; ; page++ {
			q := url.Values{"keyword": {keyword}, "page": {strconv.Itoa(page)}}
			res, err := fetch[listResponse](ctx, c, pathPassports, q)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range res.Passports {
				if !yield(&res.Passports[i], nil) {
					return
				}
			}
			if res.Pagination.CurrentPage >= res.Pagination.LastPage {
				return
			}
		}
	}
}
