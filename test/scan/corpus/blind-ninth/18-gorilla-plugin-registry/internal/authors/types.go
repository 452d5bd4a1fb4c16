package authors

import "time"

type scores struct {
	Score  float64 `json:"score" validate:"required"`
	Skills float64 `json:"skills_score"`
}

type Passport struct {
	scores
	ID              int       `json:"passport_id" validate:"required"`
	Calculating     bool      `json:"calculating_score"`
	CalculatedAt    time.Time `json:"last_calculated_at"`
	VerifiedWallets []string  `json:"verified_wallets" validate:"required,dive,eth_addr"`
	Profile         struct {
		Name string `json:"display_name" validate:"required"`
		Bio  string `json:"bio" validate:"omitempty,max=4000"`
		City string `json:"location"`
	} `json:"passport_profile"`
	Socials []struct {
		Source string `json:"source"`
		URL    string `json:"profile_url"`
		Image  string `json:"profile_image_url"`
	} `json:"passport_socials"`
}

type Badge struct {
	Type     string  `json:"type"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	Max      float64 `json:"max_score"`
}

// Stale tells whether the score should be shown with a warning.
func (p *Passport) Stale(now time.Time) bool {
	return !p.Calculating && now.Sub(p.CalculatedAt) > 45*24*time.Hour
}

// Link finds the profile on one network.
func (p *Passport) Link(source string) (url, image string) {
	for _, s := range p.Socials {
		if s.Source == source {
			return s.URL, s.Image
		}
	}
	return "", ""
}
