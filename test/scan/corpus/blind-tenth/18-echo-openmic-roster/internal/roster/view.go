package roster

import (
	"slices"
	"strings"

	"github.com/cellarstage/openmic/internal/talent"
)

// Entry goes out to the venue's tablet.
type Entry struct {
	PassportID  int64  `json:"passport_id"`
	DisplayName string `json:"display_name"`
	Bio         string `json:"bio"`
	Score       int    `json:"score"`
	Photo       string `json:"photo,omitempty"`
	Followers   int64  `json:"followers"`
	Headliner   bool   `json:"headliner"`
	Slot        int    `json:"slot"`
}

func newEntry(p *talent.Performer, credentials []talent.Credential) Entry {
	e := Entry{
		PassportID:  p.PassportID,
		DisplayName: p.PassportProfile.DisplayName,
		Bio:         p.PassportProfile.Bio,
	}
	if p.Score != nil {
		e.Score = int(*p.Score)
	}
	for _, s := range p.PassportSocials {
		if e.Photo == "" {
			e.Photo = s.ProfileImageURL
		}
		if n, err := s.FollowerCount.Int64(); err == nil {
			e.Followers += n
		}
	}
	won := slices.ContainsFunc(credentials, func(c talent.Credential) bool {
		return strings.HasPrefix(c.Type, "hackathon") && c.Value != ""
	})
	e.Headliner = won || (p.HumanCheckmark && e.Score > 90)
	return e
}

func owns(p *talent.Performer, wallet string) bool {
	return slices.ContainsFunc(p.VerifiedWallets, func(w string) bool { return strings.EqualFold(w, wallet) })
}
