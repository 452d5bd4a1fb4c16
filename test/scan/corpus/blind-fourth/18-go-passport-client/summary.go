package talent

import (
	"context"
	"strconv"
	"time"
)

type Summary struct {
	Score     float64
	Stale     bool
	Followers int
	Progress  map[string]float64
}

// Summarize combines a passport with its credentials.
func (c *Client) Summarize(ctx context.Context, id string) (Summary, error) {
	p, err := c.Passport(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	s := Summary{Score: p.Score, Progress: map[string]float64{}}
	if t := p.LastCalculatedAt; t != nil && !p.CalculatingScore {
		s.Stale = time.Since(*t) > 30*24*time.Hour
	}
	for _, social := range p.Socials {
		n, err := strconv.Atoi(social.FollowerCount)
		if err == nil {
			s.Followers += n
		}
	}
	creds, err := c.Credentials(ctx, p.PassportID)
	if err != nil {
		return s, err
	}
	for _, cr := range creds {
		if cr.MaxScore > 0 {
			s.Progress[cr.Category] += cr.Score / cr.MaxScore
		}
	}
	return s, nil
}
