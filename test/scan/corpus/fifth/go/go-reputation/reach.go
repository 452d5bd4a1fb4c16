package reputation

import (
	"context"
	"strconv"
)

// Reach is the sum of all followers on the networks named.
func (c *Client) Reach(ctx context.Context, id string, networks ...string) (int, error) {
	p, err := c.Passport(ctx, id)
	if err != nil {
		return 0, err
	}
	wanted := map[string]bool{}
	for _, n := range networks {
		wanted[n] = true
	}
	sum := 0
	for _, s := range p.Socials { // read: passport.passport_socials
		if !wanted[s.Source] { // read: passport.passport_socials[].source
			continue
		}
		n, err := strconv.Atoi(s.FollowerCount) // read: passport.passport_socials[].follower_count; hazard: string-number
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// Settled tells whether the score can be shown already.
func Settled(p *Passport) bool {
	return !p.Calculating && p.Score > 0 // read: passport.calculating_score, passport.score
}
