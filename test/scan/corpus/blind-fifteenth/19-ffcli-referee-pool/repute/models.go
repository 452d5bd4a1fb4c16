package repute

import "time"

type Official struct {
	ID         int        `json:"passport_id" validate:"required"`
	Total      *float64   `json:"score" validate:"required"`
	Activity   float64    `json:"activity_score"`
	Peers      int        `json:"connections_count"`
	Verified   bool       `json:"human_checkmark"`
	Merged     bool       `json:"merged"`
	ComputedAt *time.Time `json:"last_calculated_at"`
	Addresses  []string   `json:"verified_wallets" validate:"omitempty,dive,eth_addr"`
	Profile    struct {
		Name     string   `json:"display_name" validate:"required"`
		Location string   `json:"location"`
		Tags     []string `json:"tags"`
	} `json:"passport_profile" validate:"required"`
}

type Certificate struct {
	ID       string  `json:"id" validate:"required"`
	Title    string  `json:"name" validate:"required"`
	Value    *string `json:"value"`
	EarnedAt string  `json:"earned_at"`
	Points   float64 `json:"score"`
}

type page struct {
	Passports  []Official `json:"passports" validate:"dive"`
	Pagination struct {
		Current int `json:"current_page"`
		Last    int `json:"last_page"`
	} `json:"pagination"`
}
