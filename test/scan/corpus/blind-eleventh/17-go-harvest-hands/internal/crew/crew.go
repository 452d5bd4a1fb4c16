package crew

import (
	"context"
	"log"
	"strconv"

	"github.com/orchardcoop/harvesthands/standing"
)

// Hand is a row of the picking roster.
type Hand struct {
	Name   string
	Score  float64
	Proofs int
	Reach  int
	Lead   bool
}

func Load(ctx context.Context, c *standing.Client, ref string) Hand {
	p, err := c.Person(ctx, ref)
	if err != nil {
		log.Printf("%s: %v", ref, err)
		return Hand{Name: ref}
	}
	h := Hand{Name: p.Profile.DisplayName, Score: p.Points()}
	for _, l := range p.Links {
		if l.Source == "farcaster" || l.Source == "lens" {
			n, _ := strconv.Atoi(l.Followers)
			h.Reach += n
		}
	}
	proofs, err := c.Proofs(ctx, p.ID)
	if err != nil {
		proofs = nil
	}
	for _, proof := range proofs {
		if proof.Category == "Identity" && proof.EarnedAt != "" {
			h.Proofs++
		}
	}
	h.Lead = p.Human && len(p.Wallets) > 0 && h.Score >= 60
	return h
}
