package talent

import "time"

type Passport struct {
	ID           int        `json:"passport_id" validate:"required"`
	Score        *float64   `json:"score" validate:"required"`
	Human        bool       `json:"human_checkmark"`
	Calculating  bool       `json:"calculating_score"`
	CalculatedAt *time.Time `json:"last_calculated_at"`
	Wallets      []string   `json:"verified_wallets" validate:"required,min=1"`
	Merged       bool       `json:"merged"`
	Profile      struct {
		DisplayName string `json:"display_name"`
		Location    string `json:"location"`
	} `json:"passport_profile"`
}

// OwnsWallet reports whether the address is one of the verified wallets.
func (p *Passport) OwnsWallet(addr string) bool {
	for _, w := range p.Wallets {
		if w == addr {
			return true
		}
	}
	return false
}

type Credential struct {
	ID       string  `json:"id"`
	Type     string  `json:"type" validate:"required"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

func (c Credential) Earned() bool { return c.EarnedAt != "" }
