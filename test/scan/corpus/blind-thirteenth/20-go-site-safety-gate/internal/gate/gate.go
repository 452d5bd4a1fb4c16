package gate

import (
	"context"
	"errors"
	"time"

	"github.com/harrowbuild/turnstile/internal/scheme"
)

type Register interface {
	Passport(ctx context.Context, number string) (*scheme.Passport, error)
	Credentials(ctx context.Context, number string) ([]scheme.Credential, error)
}

type Decision struct {
	Open   bool   `json:"open"`
	Name   string `json:"display_name,omitempty"`
	Score  int    `json:"score"`
	Reason string `json:"reason,omitempty"`
}

type Gate struct {
	Register Register
	PassMark int
	Needs    []string
	Now      func() time.Time
}

func (g *Gate) Check(ctx context.Context, number string) (Decision, error) {
	p, err := g.Register.Passport(ctx, number)
	if errors.Is(err, scheme.ErrNotHeld) {
		return Decision{Reason: "no passport"}, nil
	}
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Name: p.Holder.DisplayName, Score: p.TestScore}
	if g.Now().After(p.ExpiresAt) {
		d.Reason = "passport expired"
		return d, nil
	}
	if p.TestScore*100 < g.PassMark*p.MaxScore {
		d.Reason = "score below pass mark"
		return d, nil
	}
	held, err := g.Register.Credentials(ctx, number)
	if err != nil {
		return d, err
	}
	for _, need := range g.Needs {
		if !covers(held, need) {
			d.Reason = "missing " + need
			return d, nil
		}
	}
	d.Open = true
	return d, nil
}

func covers(held []scheme.Credential, category string) bool {
	for _, c := range held {
		if c.Category == category && !c.EarnedAt.IsZero() {
			return true
		}
	}
	return false
}
