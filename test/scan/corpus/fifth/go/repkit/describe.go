package repkit

import (
	"context"
	"strings"
)

// Flight shares names with Passport only by accident.
type Flight struct {
	ID       int
	Score    int
	Category string
}

func (c *Client) Describe(ctx context.Context, id string) (string, error) {
	p, err := c.Passport(ctx, id)
	if err != nil {
		return "", err
	}
	if p.Calculating { // read: passport.calculating_score
		return "pending since " + p.CalculatedAt, nil // read: passport.last_calculated_at
	}
	creds, err := c.Credentials(ctx, p.ID) // read: passport.passport_id
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i := range creds {
		b.WriteString(creds[i].Category + "=" + creds[i].Value + ";") // read: passport_credentials[].category, passport_credentials[].value
	}
	return b.String(), nil
}

func Cheapest(flights []Flight) (best Flight) {
	for _, f := range flights {
		if f.Score > best.Score && f.Category != "" {
			best = f
		}
	}
	return best
}
