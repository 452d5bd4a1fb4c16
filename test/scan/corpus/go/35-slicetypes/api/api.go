// Package api talks to the reputation service.
package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

type Credential struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Score    float64   `json:"score"`
	Max      float64   `json:"max_score"`
	Updated  time.Time `json:"last_calculated_at"`
}

type Credentials []Credential

func (cs Credentials) Sum() (sum float64) {
	for _, c := range cs {
		sum += c.Score // read: passport_credentials[].score
	}
	return sum
}

func (cs Credentials) Filter(keep func(Credential) bool) Credentials {
	out := cs[:0]
	for _, c := range cs {
		if keep(c) {
			out = append(out, c)
		}
	}
	return out
}

func (c Credential) Share() float64 {
	if c.Max == 0 { // read: passport_credentials[].max_score
		return 0
	}
	return c.Score / c.Max // read: passport_credentials[].score, passport_credentials[].max_score
}

type Client struct {
	base string
	key  string
}

type Option func(*Client)

func WithBase(b string) Option { return func(c *Client) { c.base = strings.TrimRight(b, "/") } }

func New(key string, opts ...Option) *Client {
	c := &Client{base: "https://rep.example.org", key: key}
	for _, o := range opts {
		o(c)
	}
	return c
}

func (c *Client) Credentials(id string) (Credentials, error) {
	endpoint := fmt.Sprintf("%s/api/v1/%s?passport_id=%s", c.base, "passport_credentials", id)
	req, err := http.NewRequest(http.MethodGet, endpoint, nil) // call: passport-credentials
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	req.Header.Add("X-API-KEY", c.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var page struct {
		Items Credentials `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		return nil, err
	}
	return page.Items, nil
}
