// Package dpp reads digital product passports from the registry.
package dpp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type Passport struct {
	ID           string     `json:"id"`
	GTIN         string     `json:"gtin"`
	Name         string     `json:"name"`
	Score        float64    `json:"score"` // repairability, 0 to 10
	Location     string     `json:"location"`
	Category     string     `json:"category"`
	Materials    []Material `json:"materials"`
	Certificates []string   `json:"certificates"`
	UpdatedAt    time.Time  `json:"updated_at"`
}

type Material struct {
	Name     string  `json:"name"`
	Share    float64 `json:"share"`
	Recycled bool    `json:"recycled"`
}

type listResponse struct {
	Passports []Passport `json:"passports"`
	Next      string     `json:"next_cursor"`
}

type Client struct {
	base string
	key  string
	http *http.Client
}

func New(base, key string) *Client {
	return &Client{base: base, key: key, http: &http.Client{Timeout: 20 * time.Second}}
}

func (c *Client) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("dpp: %s: %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(out)
}

// Changed lists passports changed since t.
func (c *Client) Changed(ctx context.Context, t time.Time) ([]Passport, error) {
	var all []Passport
	cursor := ""
	for {
		var page listResponse
		path := fmt.Sprintf("/api/v1/passports?since=%s&cursor=%s", t.UTC().Format(time.RFC3339), cursor)
		if err := c.get(ctx, path, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Passports...)
		if page.Next == "" {
			return all, nil
		}
		cursor = page.Next
	}
}

// Get reads one passport.
func (c *Client) Get(ctx context.Context, id string) (*Passport, error) {
	var p Passport
	if err := c.get(ctx, "/api/v1/passports/"+id, &p); err != nil {
		return nil, err
	}
	return &p, nil
}
