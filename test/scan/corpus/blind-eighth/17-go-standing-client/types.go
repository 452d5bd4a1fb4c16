package standing

import (
	"strconv"
	"time"
)

// Passport is a person's reputation record.
type Passport struct {
	PassportID       int64      `json:"passport_id" validate:"required"`
	Score            *float64   `json:"score" validate:"required"`
	ActivityScore    float64    `json:"activity_score"`
	IdentityScore    float64    `json:"identity_score"`
	SkillsScore      float64    `json:"skills_score"`
	CalculatingScore bool       `json:"calculating_score"`
	ConnectionsCount int        `json:"connections_count"`
	HumanCheckmark   bool       `json:"human_checkmark"`
	LastCalculatedAt *time.Time `json:"last_calculated_at"`
	MainWallet       string     `json:"main_wallet" validate:"omitempty,eth_addr"`
	VerifiedWallets  []string   `json:"verified_wallets"`
	Profile          *Profile   `json:"passport_profile" validate:"required"`
	Socials          []Social   `json:"passport_socials,omitempty" validate:"dive"`
}

// Profile is what the person says.
type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

// Social is a linked account. The counts are strings on the wire.
type Social struct {
	Source         string `json:"source" validate:"required"`
	ProfileName    string `json:"profile_name"`
	ProfileURL     string `json:"profile_url"`
	FollowerCount  string `json:"follower_count"`
	FollowingCount string `json:"following_count"`
}

// Followers is the follower count as a number, 0 if there is none.
func (s Social) Followers() int {
	n, err := strconv.Atoi(s.FollowerCount)
	if err != nil {
		return 0
	}
	return n
}

// Stale tells whether the score was not computed within d.
func (p *Passport) Stale(d time.Duration) bool {
	return p.LastCalculatedAt == nil || time.Since(*p.LastCalculatedAt) > d
}

// Credential is one scored item.
type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Name     string  `json:"name"`
	Type     string  `json:"type" validate:"required"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	Value    string  `json:"value"`
	EarnedAt string  `json:"earned_at"`
}

// Page is one page of the list.
type Page struct {
	Passports  []Passport `json:"passports" validate:"dive"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}
