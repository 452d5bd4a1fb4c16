package passport

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-playground/validator/v10"
)

const defaultBaseURL = "https://api.talentprotocol.com"

type Client struct {
	base     string
	key      string
	http     *http.Client
	validate *validator.Validate
}

func New(base, key string) *Client {
	if base == "" {
		base = defaultBaseURL
	}
	return &Client{base: base, key: key, http: &http.Client{Timeout: 10 * time.Second}, validate: validator.New()}
}

type StatusError struct {
	Code int
	Path string
}

func (e *StatusError) Error() string { return fmt.Sprintf("%s: status %d", e.Path, e.Code) }

func get[T any](ctx context.Context, c *Client, path string, q url.Values) (*T, error) {
	u := c.base + "/api/v1" + path
	if len(q) > 0 {
		u += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	if c.key != "" {
		req.Header.Set("X-API-KEY", c.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, &StatusError{resp.StatusCode, path}
	}
	out := new(T)
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	return out, c.validate.Struct(out)
}

// All walks the list until the last page.
func (c *Client) All(ctx context.Context, keyword string, fn func(Passport) error) error {
	for page := 1; ; page++ {
		q := url.Values{"page": {strconv.Itoa(page)}}
		if keyword != "" {
			q.Set("keyword", keyword)
		}
		res, err := get[listResponse](ctx, c, "/passports", q)
		if err != nil {
			return err
		}
		for _, p := range res.Passports {
			if err := fn(p); err != nil {
				return err
			}
		}
		if res.Pagination.CurrentPage >= res.Pagination.LastPage {
			return nil
		}
	}
}

func (c *Client) Get(ctx context.Context, id string) (*Passport, error) {
	res, err := get[struct {
		Passport Passport `json:"passport"`
	}](ctx, c, "/passports/"+url.PathEscape(id), nil)
	if err != nil {
		return nil, err
	}
	return &res.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, id string) ([]Credential, error) {
	res, err := get[credentialsResponse](ctx, c, "/passport_credentials", url.Values{"passport_id": {id}})
	if err != nil {
		return nil, err
	}
	return res.Credentials, nil
}
