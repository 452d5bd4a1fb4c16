package app

import (
	"context"
	"sort"
	"strings"
)

type Ranker struct {
	Rep Reputation
}

type ranked struct {
	Wallet string
	Score  float64
}

type byScore []ranked

func (b byScore) Len() int           { return len(b) }
func (b byScore) Less(i, j int) bool { return b[i].Score > b[j].Score }
func (b byScore) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func (r *Ranker) Rank(ctx context.Context, wallets ...string) ([]ranked, error) {
	var out []ranked
	for _, w := range wallets {
		p, err := r.Rep.Passport(ctx, w)
		if err != nil {
			return nil, err
		}
		score := p.Score // read: passport.score
		if strings.HasPrefix(p.UpdatedAt, "2023") { // read: passport.last_calculated_at
			score = p.Activity / 2 // read: passport.activity_score
		}
		out = append(out, ranked{Wallet: w, Score: score})
	}
	sort.Sort(byScore(out))
	return out, nil
}

func (r *Ranker) Kinds(ctx context.Context, id string) map[string]string {
	creds, err := r.Rep.Credentials(ctx, id)
	if err != nil { // hazard: catch-default
		return nil
	}
	kinds := make(map[string]string, len(creds))
	for _, c := range creds {
		kinds[c.Type] = c.Value // read: passport_credentials[].value, passport_credentials[].type
	}
	return kinds
}
