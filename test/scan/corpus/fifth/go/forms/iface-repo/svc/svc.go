package svc

import (
	"context"
	"example.com/app/api"
)

type Source interface {
	Get(ctx context.Context, id string) (*api.Passport, error)
}

type Service struct {
	src Source
	cache map[string]*api.Passport
}

func New(s Source) *Service { return &Service{src: s, cache: map[string]*api.Passport{}} }

func (s *Service) Level(ctx context.Context, id string) (int, error) {
	p, ok := s.cache[id]
	if !ok {
		var err error
		if p, err = s.src.Get(ctx, id); err != nil {
			return 0, err
		}
		s.cache[id] = p
	}
	switch {
	case p.Calculating: // read: passport.calculating_score
		return 0, nil
	case p.Score > 80 && len(p.Verified) > 1: // read: passport.score, passport.verified_wallets[]
		return 2, nil
	}
	return 1, nil
}
