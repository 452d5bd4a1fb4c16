package docs

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Passport is a travel document as the visa desk stores it.
type Passport struct {
	ID          string    `json:"id"`
	Number      string    `json:"number"`
	Type        string    `json:"type"`
	FullName    string    `json:"full_name"`
	Nationality string    `json:"nationality"`
	ExpiresAt   time.Time `json:"expires_at"`
	Score       float64   `json:"score"`
	Merged      bool      `json:"merged"`
}

type page struct {
	Items      []Passport `json:"items"`
	Pagination struct {
		Next  string `json:"next"`
		Total int    `json:"total"`
	} `json:"pagination"`
}

type Client struct {
	base string
	key  string
	http *http.Client
}

func NewClient(base, key string) *Client {
	return &Client{base: base, key: key, http: &http.Client{Timeout: 15 * time.Second}}
}

func (c *Client) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("documents: %s: %d", path, resp.StatusCode)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

// Expiring returns the passports that expire within the given days.
func (c *Client) Expiring(ctx context.Context, days int) ([]Passport, error) {
	var all []Passport
	next := fmt.Sprintf("/v3/documents/passports?expires_in=%d", days)
	for next != "" {
		var p page
		if err := c.get(ctx, next, &p); err != nil {
			return nil, err
		}
		all = append(all, p.Items...)
		next = p.Pagination.Next
	}
	return all, nil
}

// Passport returns a single document.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var p Passport
	if err := c.get(ctx, "/v3/documents/passports/"+id, &p); err != nil {
		return nil, err
	}
	return &p, nil
}
