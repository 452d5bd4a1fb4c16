package passport

import "time"

// Passport is a reputation record.
type Passport struct {
	ID               int64      `json:"passport_id" validate:"required"`
	Score            *float64   `json:"score" validate:"required"`
	ActivityScore    float64    `json:"activity_score"`
	MainWallet       string     `json:"main_wallet" validate:"required,eth_addr"`
	VerifiedWallets  []string   `json:"verified_wallets,omitempty"`
	LastCalculatedAt *time.Time `json:"last_calculated_at"`
}

// Credential is one scored item.
type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Type     string  `json:"type" validate:"required"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

type Pagination struct {
	CurrentPage int `json:"current_page"`
	LastPage    int `json:"last_page"`
	Total       int `json:"total"`
}

type listResponse struct {
	Passports  []Passport `json:"passports" validate:"dive"`
	Pagination Pagination `json:"pagination"`
}

type credentialsResponse struct {
	Credentials []Credential `json:"passport_credentials" validate:"dive"`
}
