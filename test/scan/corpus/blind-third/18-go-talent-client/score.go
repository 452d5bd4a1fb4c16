package talentprotocol

import (
	"context"
	"strings"
	"time"
)

// Level of a builder, by score.
func (p Passport) Level() int {
	switch {
	case p.Score >= 250:
		return 5
	case p.Score >= 170:
		return 4
	case p.Score >= 80:
		return 3
	case p.Score >= 40:
		return 2
	}
	return 1
}

// Stale tells whether the score is older than max.
func (p Passport) Stale(max time.Duration) bool {
	return !p.CalculatingScore && time.Since(p.LastCalculatedAt) > max
}

// Owns tells whether the wallet belongs to the passport.
func (p Passport) Owns(wallet string) bool {
	if strings.EqualFold(p.MainWallet, wallet) {
		return true
	}
	for _, w := range p.VerifiedWallets {
		if strings.EqualFold(w, wallet) {
			return true
		}
	}
	return false
}

// ScoreOrZero never fails, for display only.
func (c *Client) ScoreOrZero(ctx context.Context, wallet string) int {
	p, err := c.GetPassport(ctx, wallet)
	if err != nil || p == nil {
		return 0
	}
	return p.Score
}
