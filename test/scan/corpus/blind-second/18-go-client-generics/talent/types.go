package talent

import "time"

// Passport is a person's record.
type Passport struct {
	PassportID       int             `json:"passport_id" validate:"required"`
	Score            float64         `json:"score"`
	ActivityScore    float64         `json:"activity_score"`
	IdentityScore    float64         `json:"identity_score"`
	SkillsScore      float64         `json:"skills_score"`
	CalculatingScore bool            `json:"calculating_score"`
	HumanCheckmark   bool            `json:"human_checkmark"`
	MainWallet       *string         `json:"main_wallet,omitempty"`
	LastCalculatedAt *time.Time      `json:"last_calculated_at"`
	VerifiedWallets  []string        `json:"verified_wallets"`
	PassportProfile  PassportProfile `json:"passport_profile" validate:"required"`
}

// PassportProfile is the part people write themselves.
type PassportProfile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

// Credential is one scored item.
type Credential struct {
	ID       string  `json:"id"`
	Type     string  `json:"type" validate:"required"`
	Category string  `json:"category"`
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	Value    *string `json:"value"`
}

// Name is the display name, or the main wallet if there is none.
func (p Passport) Name() string {
	if p.PassportProfile.DisplayName != "" {
		return p.PassportProfile.DisplayName
	}
	if p.MainWallet != nil {
		return *p.MainWallet
	}
	return "anonymous"
}

// Ratio says how much of a credential was earned.
func (c Credential) Ratio() float64 {
	if c.MaxScore == 0 {
		return 0
	}
	return c.Score / c.MaxScore
}

type passportEnvelope struct {
	Passport Passport `json:"passport" validate:"required"`
}

type credentialsEnvelope struct {
	Credentials []Credential `json:"passport_credentials" validate:"dive"`
}

type passportList struct {
	Passports  []Passport `json:"passports" validate:"dive"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}
