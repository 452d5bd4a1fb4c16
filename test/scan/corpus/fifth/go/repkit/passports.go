package repkit

import (
	"context"
	"fmt"
	"net/url"
)

type Passport struct {
	ID           int    `json:"passport_id"` // hazard: integer-id
	Score        int    `json:"score"`
	Calculating  bool   `json:"calculating_score"`
	CalculatedAt string `json:"last_calculated_at"`
}

type Credential struct {
	Category string `json:"category"`
	Value    string `json:"value"`
}

func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var out struct{ Passport Passport }
	if err := c.get(ctx, "/api/v1/passports/"+url.PathEscape(id), &out); err != nil { // call: passport
		return nil, err
	}
	return &out.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, id int) ([]Credential, error) {
	var out struct {
		List []Credential `json:"passport_credentials"`
	}
	err := c.get(ctx, fmt.Sprintf("/api/v1/passport_credentials?passport_id=%d", id), &out) // call: passport-credentials
	return out.List, err
}
