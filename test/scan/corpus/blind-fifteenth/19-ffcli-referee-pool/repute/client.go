package repute

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"github.com/go-playground/validator/v10"
	"golang.org/x/time/rate"
)

const prefix = "/api/v1"

var check = validator.New(validator.WithRequiredStructEnabled())

type StatusError struct{ Code int }

func (e StatusError) Error() string { return "repute: HTTP " + strconv.Itoa(e.Code) }

// transport adds host, key and rate limit to every request.
type transport struct {
	host  *url.URL
	key   string
	limit *rate.Limiter
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.limit.Wait(r.Context()); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = t.host.Scheme, t.host.Host
	r.URL.Path = path.Join(prefix, r.URL.Path)
	if t.key != "" {
		r.Header.Set("X-API-KEY", t.key)
	}
	return http.DefaultTransport.RoundTrip(r)
}

type Client struct{ hc *http.Client }

func NewClient(host, key string) (*Client, error) {
	u, err := url.Parse(host)
	if err != nil {
		return nil, err
	}
	return &Client{&http.Client{Transport: transport{u, key, rate.NewLimiter(2, 5)}}}, nil
}

func fetch[T any](ctx context.Context, c *Client, p string, q url.Values) (*T, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", p+"?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	res, err := c.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return nil, StatusError{res.StatusCode}
	}
	out := new(T)
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return nil, fmt.Errorf("repute: decode %s: %w", p, err)
	}
	return out, check.Struct(out)
}

func (c *Client) Official(ctx context.Context, ref string) (*Official, error) {
	type envelope struct {
		Passport Official `json:"passport"`
	}
	env, err := fetch[envelope](ctx, c, "/passports/"+url.PathEscape(ref), nil)
	if err != nil {
		return nil, err
	}
	return &env.Passport, nil
}

func (c *Client) Officials(ctx context.Context, keyword string) iter.Seq2[Official, error] {
	return func(yield func(Official, error) bool) {
		for n := 1; ; n++ {
			pg, err := fetch[page](ctx, c, "/passports", url.Values{"keyword": {keyword}, "page": {strconv.Itoa(n)}})
			if err != nil {
				yield(Official{}, err)
				return
			}
			for _, o := range pg.Passports {
				if !yield(o, nil) {
					return
				}
			}
			if pg.Pagination.Current >= pg.Pagination.Last {
				return
			}
		}
	}
}

func (c *Client) Certificates(ctx context.Context, id int) ([]Certificate, error) {
	type envelope struct {
		Items []Certificate `json:"passport_credentials" validate:"dive"`
	}
	env, err := fetch[envelope](ctx, c, "/passport_credentials", url.Values{"passport_id": {strconv.Itoa(id)}})
	if err != nil {
		return nil, err
	}
	return env.Items, nil
}
