package repute

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Count is a number that some deployments send as a string.
type Count int

func (n *Count) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(b), `"`)
	if s == "" || s == "null" {
		*n = 0
		return nil
	}
	v, err := strconv.Atoi(s)
	*n = Count(v)
	return err
}

// Maybe distinguishes null from a value.
type Maybe[T any] struct {
	V     T
	Valid bool
}

func (m *Maybe[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	m.Valid = true
	return json.Unmarshal(b, &m.V)
}

func (m Maybe[T]) Or(fallback T) T {
	if !m.Valid {
		return fallback
	}
	return m.V
}

type (
	Passport struct {
		PassportID       int             `json:"passport_id" validate:"required"`
		Score            Maybe[float64]  `json:"score"`
		ActivityScore    float64         `json:"activity_score"`
		IdentityScore    float64         `json:"identity_score"`
		SkillsScore      float64         `json:"skills_score"`
		HumanCheckmark   bool            `json:"human_checkmark"`
		LastCalculatedAt Maybe[string]   `json:"last_calculated_at"`
		MainWallet       Maybe[string]   `json:"main_wallet"`
		VerifiedWallets  []string        `json:"verified_wallets" validate:"dive,startswith=0x"`
		PassportProfile  PassportProfile `json:"passport_profile"`
		Merged           bool            `json:"merged"`
		PassportSocials  []Social        `json:"passport_socials" validate:"omitempty,dive"`
	}

	PassportProfile struct {
		DisplayName Maybe[string] `json:"display_name"`
		Location    Maybe[string] `json:"location"`
		Tags        []string      `json:"tags"`
	}

	Social struct {
		Source        string `json:"source" validate:"required"`
		ProfileName   string `json:"profile_name"`
		FollowerCount Count  `json:"follower_count"`
	}

	Credential struct {
		ID       string        `json:"id" validate:"required"`
		Type     string        `json:"type" validate:"required"`
		Name     string        `json:"name"`
		Category string        `json:"category" validate:"required"`
		Score    float64       `json:"score"`
		MaxScore float64       `json:"max_score"`
		Value    Maybe[string] `json:"value"`
		EarnedAt Maybe[string] `json:"earned_at"`
	}

	one struct {
		Passport *Passport `json:"passport" validate:"required"`
	}

	page struct {
		Passports  []Passport `json:"passports" validate:"dive"`
		Pagination struct {
			CurrentPage int `json:"current_page" validate:"required"`
			LastPage    int `json:"last_page" validate:"required"`
			Total       int `json:"total"`
		} `json:"pagination"`
	}

	credentials struct {
		Items []Credential `json:"passport_credentials" validate:"dive"`
	}
)
