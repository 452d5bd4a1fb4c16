package a

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"
)

type Option func(*Client)

func WithBase(b string) Option { return func(c *Client) { c.base = strings.TrimRight(b, "/") } }

type Client struct {
	base string
	hc   *http.Client
}

func NewClient(opts ...Option) *Client {
	c := &Client{hc: &http.Client{}}
	for _, o := range opts {
		o(c)
	}
	return c
}

const (
	root      = "/api/v1"
	passports = "passports"
)

func (c *Client) url(parts ...string) string {
	return c.base + path.Join(append([]string{root}, parts...)...)
}

type Passport struct {
	CalculatedAt string `json:"last_calculated_at"`
	Conn         int    `json:"connections_count"`
}

func (c *Client) One(id string) (p Passport, err error) {
	resp, err := c.hc.Get(c.url(passports, id)) // call: passport
	if err != nil {
		return
	}
	defer resp.Body.Close()
	w := map[string]*Passport{"passport": &p}
	err = json.NewDecoder(resp.Body).Decode(&w)
	return
}

func main() {
	c := NewClient(WithBase("https://h/"))
	p, err := c.One("1")
	if err != nil {
		panic(err)
	}
	println(p.CalculatedAt, p.Conn) // read: passport.last_calculated_at, passport.connections_count
}
