package rep

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
)

const (
	version       = "v1"
	passportsPath = "passports"
)

type Options struct {
	Host string
	HTTP *http.Client
}

type Client struct{ opts Options }

func NewClient(o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	return &Client{opts: o}
}

func (c *Client) url(q url.Values, elems ...string) string {
	u := url.URL{
		Scheme:   "https",
		Host:     c.opts.Host,
		Path:     path.Join(append([]string{"api", version}, elems...)...),
		RawQuery: q.Encode(),
	}
	return u.String()
}

func (c *Client) fetch(ctx context.Context, u string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.opts.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	body, err := c.fetch(ctx, c.url(nil, passportsPath, id)) // call: passport
	if err != nil {
		return nil, err
	}
	defer body.Close()
	env := struct{ Passport Passport }{}
	return &env.Passport, json.NewDecoder(body).Decode(&env)
}

func (c *Client) EachPage(ctx context.Context, keyword string, visit func(Page) (bool, error)) error {
	for n := 1; ; n++ {
		q := url.Values{}
		q.Set("keyword", keyword)
		q.Set("page", strconv.Itoa(n))
		body, err := c.fetch(ctx, c.url(q, passportsPath)) // call: passport-list
		if err != nil {
			return err
		}
		var page Page
		err = json.NewDecoder(body).Decode(&page)
		body.Close()
		if err != nil {
			return err
		}
		more, err := visit(page)
		if err != nil || !more || page.Meta.Current >= page.Meta.Last { // read: pagination.current_page, pagination.last_page
			return err
		}
	}
}
