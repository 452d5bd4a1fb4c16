package passport

import "time"

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source  string `json:"source"`
	Handle  string `json:"profile_name"`
	URL     string `json:"profile_url"`
	Avatar  string `json:"profile_image_url"`
	Follows string `json:"following_count"`
}

type Passport struct {
	ID           int64      `json:"passport_id"`
	Score        float64    `json:"score"`
	Skills       float64    `json:"skills_score"`
	Activity     float64    `json:"activity_score"`
	Human        bool       `json:"human_checkmark"`
	Calculating  bool       `json:"calculating_score"`
	CalculatedAt *time.Time `json:"last_calculated_at"`
	MainWallet   string     `json:"main_wallet"`
	Wallets      []string   `json:"verified_wallets"`
	Profile      *Profile   `json:"passport_profile"`
	Socials      []Social   `json:"passport_socials,omitempty"`
}

type Credential struct {
	ID       string  `json:"id"`
	Type     string  `json:"type"`
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	Value    *string `json:"value"`
}

// Name is what we print on the badge.
func (p Passport) Name() string {
	if p.Profile != nil && p.Profile.DisplayName != "" {
		return p.Profile.DisplayName
	}
	if len(p.MainWallet) > 10 {
		return p.MainWallet[:6] + "…"
	}
	return "anonymous"
}

// Avatar takes the first social network that has a picture.
func (p Passport) Avatar() string {
	for _, s := range p.Socials {
		if s.Avatar != "" {
			return s.Avatar
		}
	}
	return "/static/nobody.png"
}
