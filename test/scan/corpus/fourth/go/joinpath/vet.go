package joinpath

import (
	"net/http"
	"net/url"
	"strings"
)

type applicant struct {
	MainWallet  string
	SkillsScore float64
}

func Vet(a applicant, id string) bool {
	row, err := fetch(id)
	if err != nil { // hazard: catch-default
		return false
	}
	if !strings.EqualFold(row.MainWallet, a.MainWallet) { // read: passport.main_wallet
		return false
	}
	for _, s := range row.PassportSocials { // read: passport.passport_socials
		if strings.Contains(s.ProfileBio, "spam") || s.ProfileName == "" { // read: passport.passport_socials[].profile_bio, passport.passport_socials[].profile_name
			return false
		}
	}
	return row.SkillsScore+float64(row.ConnectionsCount) > a.SkillsScore // read: passport.skills_score, passport.connections_count
}

func Ping() error {
	u, _ := url.JoinPath("https://jobs.example.com/api/v2", "passports", "ping")
	_, err := http.Get(u)
	return err
}
