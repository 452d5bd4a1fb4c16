package talentapi

import "time"

// Passport is one person.
type Passport struct {
	ID               int64      `json:"passport_id" validate:"required"`
	Score            float64    `json:"score"`
	ActivityScore    float64    `json:"activity_score"`
	SkillsScore      float64    `json:"skills_score"`
	Calculating      bool       `json:"calculating_score"`
	ConnectionsCount int        `json:"connections_count,omitempty"`
	LastCalculatedAt *time.Time `json:"last_calculated_at"`
	MainWallet       string     `json:"main_wallet" validate:"required,eth_addr"`
	Wallets          []string   `json:"verified_wallets"`
	Profile          *Profile   `json:"passport_profile" validate:"required"`
	Merged           bool       `json:"merged"`
	Socials          []Social   `json:"passport_socials" validate:"dive"`
}

// Profile is what people write about themselves.
type Profile struct {
	DisplayName string   `json:"display_name" validate:"required"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

// Social is a linked account.
type Social struct {
	Source      string `json:"source" validate:"required"`
	ProfileName string `json:"profile_name"`
	ImageURL    string `json:"profile_image_url"`
}

// Credential is one scored item.
type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

// Handle returns the account name on a network, or "".
func (p *Passport) Handle(network string) string {
	for _, s := range p.Socials {
		if s.Source == network {
			return s.ProfileName
		}
	}
	return ""
}

// Fresh tells whether the score is younger than max.
func (p *Passport) Fresh(max time.Duration) bool {
	return p.LastCalculatedAt != nil && !p.Calculating && time.Since(*p.LastCalculatedAt) < max
}
