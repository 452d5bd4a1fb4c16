package service

import (
	"context"
	"strings"

	"example.org/layered-talent/internal/repository"
)

type finder interface {
	Find(ctx context.Context, id string) (*repository.Passport, error)
}

type Talent struct {
	Name   string
	Score  float64
	Human  bool
	Senior bool
}

type TalentService struct {
	Passports finder
}

func (s *TalentService) Lookup(ctx context.Context, wallet string) (Talent, error) {
	p, err := s.Passports.Find(ctx, wallet)
	if err != nil {
		return Talent{}, err
	}
	t := Talent{
		Name:  p.Profile.DisplayName, // read: passport.passport_profile.display_name
		Score: p.Score, // read: passport.score
		Human: p.Human, // read: passport.human_checkmark
	}
	if t.Name == "" {
		t.Name = p.MainWallet // read: passport.main_wallet
	}
	for _, tag := range p.Profile.Tags { // read: passport.passport_profile.tags[]
		if strings.EqualFold(tag, "senior") && p.SkillsScore > 50 { // read: passport.skills_score
			t.Senior = true
		}
	}
	return t, nil
}

func Rank(ts []Talent) float64 {
	var sum float64
	for _, t := range ts {
		if t.Human {
			sum += t.Score
		}
	}
	return sum
}
