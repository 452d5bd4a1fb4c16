package gate

import (
	"context"
	"testing"
	"time"

	"github.com/harrowbuild/turnstile/internal/scheme"
)

type fake struct{ p scheme.Passport }

func (f fake) Passport(context.Context, string) (*scheme.Passport, error) { return &f.p, nil }

func (f fake) Credentials(context.Context, string) ([]scheme.Credential, error) {
	return []scheme.Credential{{ID: "c1", Category: "Heights", EarnedAt: time.Unix(1, 0)}}, nil
}

func TestCheck(t *testing.T) {
	now := time.Date(2025, 3, 1, 7, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		score int
		needs []string
		open  bool
	}{
		"passes":     {score: 45, needs: []string{"Heights"}, open: true},
		"low score":  {score: 10},
		"no lifting": {score: 45, needs: []string{"Lifting"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := scheme.Passport{TestScore: tc.score, MaxScore: 50, ExpiresAt: now.AddDate(1, 0, 0)}
			g := Gate{Register: fake{p}, PassMark: 80, Needs: tc.needs, Now: func() time.Time { return now }}
			d, err := g.Check(context.Background(), "SP-1")
			if err != nil || d.Open != tc.open {
				t.Fatalf("got %+v, %v", d, err)
			}
		})
	}
}
