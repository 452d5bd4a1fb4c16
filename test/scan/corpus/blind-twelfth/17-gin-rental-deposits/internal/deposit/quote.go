package deposit

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/keyhold/deposits/pkg/talent"
)

type Talent interface {
	GetPassport(ctx context.Context, id string) (*talent.Passport, error)
	ListCredentials(ctx context.Context, passportID int) ([]talent.Credential, error)
}

type Quote struct {
	Wallet   string    `json:"wallet"`
	Tenant   string    `json:"tenant"`
	Score    float64   `json:"score"`
	Deposit  float64   `json:"deposit"`
	Reasons  []string  `json:"reasons"`
	ValidFor time.Time `json:"valid_until"`
}

type Quoter struct {
	Talent Talent
	Months float64
}

func (q *Quoter) Quote(ctx context.Context, wallet string, rent float64) (*Quote, error) {
	p, err := q.Talent.GetPassport(ctx, wallet)
	if err != nil {
		return nil, err
	}
	out := &Quote{
		Wallet:   wallet,
		Tenant:   p.Profile.DisplayName,
		Score:    *p.Score,
		Deposit:  rent * q.Months,
		ValidFor: time.Now().Add(48 * time.Hour),
	}
	if !p.OwnsWallet(wallet) || p.Merged {
		out.Reasons = append(out.Reasons, "wallet not verified")
		return out, nil
	}
	if p.Calculating || p.CalculatedAt == nil || time.Since(*p.CalculatedAt) > 60*24*time.Hour {
		out.Reasons = append(out.Reasons, "score is not current")
		return out, nil
	}
	discount := math.Min(out.Score/400, 0.25)
	if p.Human {
		discount += 0.1
		out.Reasons = append(out.Reasons, "verified human")
	}
	discount += q.identityBonus(ctx, p)
	out.Deposit = math.Round(out.Deposit*(1-discount)*100) / 100
	return out, nil
}

func (q *Quoter) identityBonus(ctx context.Context, p *talent.Passport) float64 {
	creds, err := q.Talent.ListCredentials(ctx, p.ID)
	if err != nil {
		slog.WarnContext(ctx, "no credentials", "passport", p.ID, "err", err)
		return 0
	}
	var have, total float64
	for _, c := range creds {
		if c.Category != "Identity" || !c.Earned() {
			continue
		}
		have += c.Score
		total += c.MaxScore
	}
	if total == 0 {
		return 0
	}
	return 0.1 * have / total
}
