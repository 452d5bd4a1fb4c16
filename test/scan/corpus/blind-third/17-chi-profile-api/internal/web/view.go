package web

import (
	"strconv"

	"github.com/acme/profile-api/internal/talent"
)

type profileView struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	Score     float64  `json:"score"`
	Human     bool     `json:"human"`
	Followers int      `json:"followers"`
	Links     []string `json:"links"`
	Badges    []string `json:"badges"`
}

func newProfileView(p *talent.Passport, creds []talent.Credential) profileView {
	v := profileView{
		ID:    p.ID,
		Name:  p.MainWallet,
		Score: p.Score,
		Human: p.HumanCheckmark,
	}
	if p.Profile != nil && p.Profile.DisplayName != "" {
		v.Name = p.Profile.DisplayName
	}
	for _, s := range p.Socials {
		n, err := strconv.Atoi(s.FollowerCount)
		if err == nil {
			v.Followers += n
		}
		if s.URL != "" {
			v.Links = append(v.Links, s.URL)
		}
	}
	for _, c := range creds {
		if c.Score > 0 {
			v.Badges = append(v.Badges, c.Name)
		}
	}
	return v
}
