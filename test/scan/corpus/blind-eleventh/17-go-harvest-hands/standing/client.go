package standing

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-playground/validator/v10"
)

const DefaultHost = "https://api.talentprotocol.com"

var validate = validator.New(validator.WithRequiredStructEnabled())

// StatusError is any answer other than 200.
type StatusError struct {
	Code int
	Path string
}

func (e *StatusError) Error() string { return fmt.Sprintf("standing: %d on %s", e.Code, e.Path) }

type Client struct {
	host *url.URL
	key  string
	http *http.Client
}

type Option func(*Client)

func WithKey(key string) Option            { return func(c *Client) { c.key = key } }
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

func New(host string, opts ...Option) (*Client, error) {
	u, err := url.Parse(host)
	if err != nil {
		return nil, err
	}
	c := &Client{host: u, http: &http.Client{Timeout: 10 * time.Second}}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

func do[T any](ctx context.Context, c *Client, q url.Values, elem ...string) (*T, error) {
	u := c.host.JoinPath(append([]string{"api", "v1"}, elem...)...)
	u.RawQuery = q.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if c.key != "" {
		req.Header.Set("X-API-KEY", c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, &StatusError{Code: res.StatusCode, Path: u.Path}
	}
	var out T
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("standing: decode %s: %w", u.Path, err)
	}
	return &out, validate.StructCtx(ctx, &out)
}

// Person looks somebody up by wallet or by number.
func (c *Client) Person(ctx context.Context, ref string) (*Person, error) {
	type envelope struct {
		Passport *Person `json:"passport" validate:"required"`
	}
	env, err := do[envelope](ctx, c, nil, "passports", ref)
	if err != nil {
		return nil, err
	}
	return env.Passport, nil
}

// Proofs lists what stands behind the score.
func (c *Client) Proofs(ctx context.Context, id int64) ([]Proof, error) {
	type envelope struct {
		Proofs []Proof `json:"passport_credentials" validate:"dive"`
	}
	q := url.Values{"passport_id": {strconv.FormatInt(id, 10)}}
	env, err := do[envelope](ctx, c, q, "passport_credentials")
	if err != nil {
		return nil, err
	}
	return env.Proofs, nil
}

// People walks over all pages of a search.
func (c *Client) People(ctx context.Context, keyword string) iter.Seq2[Person, error] {
	type envelope struct {
		People []Person `json:"passports" validate:"dive"`
		Page   Page     `json:"pagination"`
	}
	return func(yield func(Person, error) bool) {
		for n := 1; ; n++ {
			q := url.Values{"keyword": {keyword}, "page": {strconv.Itoa(n)}}
			env, err := do[envelope](ctx, c, q, "passports")
			if err != nil {
				yield(Person{}, err)
				return
			}
			for _, p := range env.People {
				if !yield(p, nil) {
					return
				}
			}
			if env.Page.Current >= env.Page.Last {
				return
			}
		}
	}
}
