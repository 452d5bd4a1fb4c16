package desk

import (
	"strings"
	"time"

	"github.com/silverhalide/darkroom-desk/upstream"
)

type memberView struct {
	PassportID     int      `json:"passport_id"`
	DisplayName    string   `json:"display_name"`
	Score          int      `json:"score"`
	HumanCheckmark bool     `json:"human_checkmark"`
	Avatar         string   `json:"avatar,omitempty"`
	Tags           []string `json:"tags"`
	Stale          bool     `json:"stale"`
}

func toView(p *upstream.Passport) memberView {
	v := memberView{
		PassportID:     p.PassportID,
		DisplayName:    p.PassportProfile.DisplayName,
		Score:          p.Score,
		HumanCheckmark: p.HumanCheckmark,
		Tags:           p.PassportProfile.Tags,
	}
	if v.DisplayName == "" && len(p.MainWallet) > 6 {
		v.DisplayName = p.MainWallet[:6] + "…"
	}
	for _, s := range p.PassportSocials {
		if v.Avatar == "" {
			v.Avatar = s.ProfileImageURL
		}
		if strings.Contains(strings.ToLower(s.ProfileBio), "film") {
			v.Tags = append(v.Tags, s.Source+":film")
		}
	}
	at, err := time.Parse(time.RFC3339, p.LastCalculatedAt)
	v.Stale = err != nil || time.Since(at) > 30*24*time.Hour
	return v
}
