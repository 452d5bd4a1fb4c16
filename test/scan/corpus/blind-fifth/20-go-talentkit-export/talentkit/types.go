// Package talentkit reads passports and credentials.
package talentkit

import "time"

type Passport struct {
	PassportID       int        `json:"passport_id" validate:"required"`
	Score            int        `json:"score"`
	ActivityScore    int        `json:"activity_score"`
	IdentityScore    int        `json:"identity_score"`
	SkillsScore      int        `json:"skills_score"`
	ConnectionsCount *int       `json:"connections_count"`
	MainWallet       string     `json:"main_wallet" validate:"omitempty,eth_addr"`
	VerifiedWallets  []string   `json:"verified_wallets" validate:"required,dive,eth_addr"`
	LastCalculatedAt *time.Time `json:"last_calculated_at"`
	PassportProfile  Profile    `json:"passport_profile"`
	CreatedAt        string     `json:"created_at"`
}

type Profile struct {
	DisplayName string   `json:"display_name"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Type     string  `json:"type" validate:"required"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	Value    *string `json:"value"`
	EarnedAt *string `json:"earned_at"`
}

type page struct {
	Passports  []Passport `json:"passports" validate:"dive"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page" validate:"required"`
	} `json:"pagination"`
}
