package rank

import (
	"fmt"
	"strconv"
)

type passportResponse struct {
	Passport struct {
		HumanCheckmark  bool     `json:"human_checkmark"`
		VerifiedWallets []string `json:"verified_wallets"`
		PassportSocials []struct {
			Source         string `json:"source"`
			ProfileURL     string `json:"profile_url"`
			FollowerCount  string `json:"follower_count"`
			FollowingCount string `json:"following_count"`
		} `json:"passport_socials"`
	} `json:"passport"`
}

type Reach struct {
	Source    string
	Followers int64
	Ratio     float64
}

func (s *Service) Reach(wallet string) ([]Reach, error) {
	result := &passportResponse{}
	resp, err := s.client.R().SetPathParam("id", wallet).SetResult(result).Get("/passports/{id}") // call: passport
	if err != nil {
		return nil, err
	}
	if resp.IsError() {
		return nil, fmt.Errorf("reach of %s: %s", wallet, resp.Status())
	}
	if !result.Passport.HumanCheckmark || len(result.Passport.VerifiedWallets) == 0 { // read: passport.human_checkmark, passport.verified_wallets[]
		return nil, nil
	}
	var out []Reach
	for _, social := range result.Passport.PassportSocials { // read: passport.passport_socials
		followers, err := strconv.ParseInt(social.FollowerCount, 10, 64) // read: passport.passport_socials[].follower_count; hazard: string-number
		if err != nil {
			return nil, err
		}
		following, err := strconv.ParseFloat(social.FollowingCount, 64) // read: passport.passport_socials[].following_count; hazard: string-number
		if err != nil {
			return nil, err
		}
		r := Reach{Source: social.Source, Followers: followers} // read: passport.passport_socials[].source
		if following > 0 {
			r.Ratio = float64(r.Followers) / following
		}
		out = append(out, r)
	}
	return out, nil
}
