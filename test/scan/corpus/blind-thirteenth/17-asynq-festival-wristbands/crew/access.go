package crew

import (
	"slices"
	"strings"
	"time"
)

type Zone string

const (
	ZoneField     Zone = "field"
	ZoneBackstage Zone = "backstage"
	ZoneTower     Zone = "tower"
)

// Owns says whether the wallet that signed up belongs to the person.
func (p *Passport) Owns(wallet string) bool {
	same := func(w string) bool { return strings.EqualFold(w, wallet) }
	return same(p.MainWallet) || slices.ContainsFunc(p.VerifiedWallets, same)
}

func (p *Passport) points() int {
	if p.Score == nil {
		return 0
	}
	return *p.Score
}

func Zones(p *Passport, creds []Credential, now time.Time) []Zone {
	zones := []Zone{ZoneField}
	if !p.HumanCheckmark {
		return zones
	}
	if at := p.LastCalculatedAt; at != nil && now.Sub(*at) < 90*24*time.Hour && p.points() >= 60 {
		zones = append(zones, ZoneBackstage)
	}
	rigger := slices.Contains(p.PassportProfile.Tags, "rigging") || p.SkillsScore > 80
	for _, c := range creds {
		if rigger && strings.HasPrefix(c.Type, "safety_") && c.Value != nil && *c.Value == "Verified" {
			return append(zones, ZoneTower)
		}
	}
	return zones
}
