package talent

import "time"

type Passport struct {
	PassportID       int        `json:"passport_id" validate:"required"`
	Score            float64    `json:"score"`
	MainWallet       string     `json:"main_wallet" validate:"required"`
	CalculatingScore bool       `json:"calculating_score"`
	LastCalculatedAt *time.Time `json:"last_calculated_at,omitempty"`
	Socials          []Social   `json:"passport_socials" validate:"dive"`
}

type Social struct {
	Source        string `json:"source" validate:"required"`
	ProfileURL    string `json:"profile_url"`
	FollowerCount string `json:"follower_count"`
}

type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Type     string  `json:"type" validate:"required"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}
