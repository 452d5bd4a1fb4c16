// Package trust decides which parcels a carrier may take.
package trust

import (
	"context"
	"log"
	"strings"

	"parcelpool.dev/trust/internal/talentv1"
)

// Reputation is what the service needs to know about a carrier.
type Reputation interface {
	Lookup(ctx context.Context, wallet string) (*talentv1.Record, error)
	Credentials(ctx context.Context, passportID int) ([]talentv1.Credential, error)
}

type Tier string

const (
	TierNone   Tier = "none"
	TierBasic  Tier = "basic"
	TierInsure Tier = "insured"
)

type Verdict struct {
	Carrier  string   `json:"carrier"`
	City     string   `json:"city,omitempty"`
	Score    float64  `json:"score"`
	Tier     Tier     `json:"tier"`
	Reasons  []string `json:"reasons"`
	MaxValue int      `json:"max_value"`
}

type Service struct {
	rep   Reputation
	basic float64
}

func NewService(rep Reputation, basic float64) *Service {
	return &Service{rep: rep, basic: basic}
}

func (s *Service) Judge(ctx context.Context, wallet string) Verdict {
	rec, err := s.rep.Lookup(ctx, wallet)
	if err != nil {
		log.Printf("trust: %v", err)
		return Verdict{Carrier: wallet, Tier: TierNone, Reasons: []string{"unknown carrier"}}
	}

	v := Verdict{
		Carrier: rec.Profile.DisplayName,
		City:    rec.Profile.Location,
		Score:   rec.Score,
		Tier:    TierNone,
	}
	if v.Carrier == "" {
		v.Carrier = rec.MainWallet
	}
	switch {
	case rec.Merged:
		v.Reasons = append(v.Reasons, "passport was merged")
		return v
	case rec.Calculating:
		v.Reasons = append(v.Reasons, "score is being calculated")
	case !owns(rec, wallet):
		v.Reasons = append(v.Reasons, "wallet is not verified")
		return v
	}

	if rec.Score >= s.basic {
		v.Tier, v.MaxValue = TierBasic, 50
	}
	if rec.HumanCheckmark && rec.IdentityScore > 10 && s.longStanding(ctx, rec.PassportID) {
		v.Tier, v.MaxValue = TierInsure, 500
	}
	return v
}

func owns(rec *talentv1.Record, wallet string) bool {
	for _, w := range rec.Wallets {
		if strings.EqualFold(w, wallet) {
			return true
		}
	}
	return strings.EqualFold(rec.MainWallet, wallet)
}

func (s *Service) longStanding(ctx context.Context, id int) bool {
	creds, err := s.rep.Credentials(ctx, id)
	if err != nil {
		return false
	}
	for _, c := range creds {
		if c.Category == "Activity" && c.Type == "active_wallet" && c.Score >= 4 {
			return true
		}
	}
	return false
}
