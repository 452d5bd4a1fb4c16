package talentprotocol

import "time"

// PassportsResponse is one page of the list.
type PassportsResponse struct {
	Passports  []Passport `json:"passports"`
	Pagination Pagination `json:"pagination"`
}

// Pagination of the list.
type Pagination struct {
	CurrentPage int `json:"current_page"`
	LastPage    int `json:"last_page"`
	Total       int `json:"total"`
}

// Passport of a builder.
type Passport struct {
	ActivityScore    int             `json:"activity_score"`
	IdentityScore    int             `json:"identity_score"`
	SkillsScore      int             `json:"skills_score"`
	Score            int             `json:"score"`
	CalculatingScore bool            `json:"calculating_score"`
	HumanCheckmark   bool            `json:"human_checkmark"`
	LastCalculatedAt time.Time       `json:"last_calculated_at"`
	MainWallet       string          `json:"main_wallet"`
	PassportID       int             `json:"passport_id"`
	Profile          PassportProfile `json:"passport_profile"`
	VerifiedWallets  []string        `json:"verified_wallets"`
}

// PassportProfile holds what the builder wrote about themselves.
type PassportProfile struct {
	Bio         string `json:"bio"`
	DisplayName string `json:"display_name"`
}
