package dossier

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Dossier is what we publish. The names are ours.
type Dossier struct {
	Wallet     string             `json:"wallet"`
	Name       string             `json:"display_name"`
	Place      string             `json:"location,omitempty"`
	Score      float64            `json:"score"`
	Human      bool               `json:"human"`
	Status     string             `json:"status"`
	Categories map[string]float64 `json:"categories"`
	Followers  int64              `json:"followers"`
	Github     *githubUser        `json:"github,omitempty"`
}

type Service struct {
	talent      *talent
	githubToken string
}

func New(base, key, githubToken string) *Service {
	return &Service{talent: newTalent(base, key), githubToken: githubToken}
}

func (s *Service) Build(ctx context.Context, wallet string) (*Dossier, error) {
	var (
		who   *talentPassport
		creds *talentCredentials
	)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		who, err = s.talent.passport(gctx, wallet)
		return err
	})
	g.Go(func() error {
		c, err := s.talent.credentials(gctx, wallet)
		if err != nil {
			c = &talentCredentials{} // the dossier is useful without them
		}
		creds = c
		return nil
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}

	p := who.Passport
	d := &Dossier{
		Wallet:     wallet,
		Score:      p.Score,
		Human:      p.Human && len(p.Wallets) > 0,
		Categories: map[string]float64{},
	}
	switch {
	case p.Merged:
		d.Status = "merged"
	case p.Pending:
		d.Status = "pending"
	case p.PassportID == 0:
		d.Status = "unknown"
	default:
		d.Status = "ok"
	}
	if p.Profile != nil {
		d.Name, d.Place = p.Profile.DisplayName, p.Profile.Location
	}
	for _, c := range creds.List {
		if c.Max == 0 || c.Type == "world_id" {
			continue
		}
		d.Categories[c.Category] += c.Score / c.Max
	}
	for _, social := range p.Socials {
		n, _ := social.Followers.Int64()
		d.Followers += n
		if social.Source == "github" && social.Handle != "" {
			if u, err := s.github(ctx, social.Handle); err == nil {
				d.Github = u
			}
		}
	}
	return d, nil
}

// Compare never fails: whoever cannot be read has no points.
func (s *Service) Compare(ctx context.Context, wallets []string) map[string]float64 {
	var mu sync.Mutex
	points := make(map[string]float64, len(wallets))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, wallet := range wallets {
		g.Go(func() error {
			res, err := s.talent.passport(ctx, wallet)
			total := 0.0
			if err == nil {
				total = res.Passport.Skills*2 + res.Passport.Activity
				for _, tag := range tagsOf(res) {
					if tag == "mentor" {
						total += 10
					}
				}
			}
			mu.Lock()
			points[wallet] = total
			mu.Unlock()
			return nil
		})
	}
	_ = g.Wait()
	return points
}

func tagsOf(t *talentPassport) []string {
	if t.Passport.Profile == nil {
		return nil
	}
	return t.Passport.Profile.Tags
}
