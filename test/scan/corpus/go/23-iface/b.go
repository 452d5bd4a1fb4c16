package gate

import (
	"context"
	"strconv"
)

type Gate struct {
	source Source
	min    float64
}

func (g Gate) Open(ctx context.Context, id string) (bool, error) {
	p, err := g.source.Fetch(ctx, id)
	if err != nil {
		return false, err
	}
	if p.Calc { // read: passport.calculating_score
		return false, nil
	}
	return p.Score+p.Identity >= g.min && g.popular(p.Socials), nil // read: passport.score, passport.identity_score, passport.passport_socials
}

func (g Gate) popular(socials []Social) bool {
	sum := 0
	for _, s := range socials {
		if s.Source != "lens" { // read: passport.passport_socials[].source
			continue
		}
		n, _ := strconv.Atoi(s.Followers) // read: passport.passport_socials[].follower_count; hazard: string-number
		sum += n
	}
	return sum > 100
}
