package standing

import "time"

// Person is what the service knows of one picker.
type Person struct {
	ID          int64      `json:"passport_id" validate:"required"`
	Score       *float64   `json:"score"`
	Activity    float64    `json:"activity_score"`
	Human       bool       `json:"human_checkmark"`
	Connections int        `json:"connections_count"`
	Wallet      string     `json:"main_wallet" validate:"omitempty,eth_addr"`
	Wallets     []string   `json:"verified_wallets"`
	UpdatedAt   *time.Time `json:"last_calculated_at"`
	Profile     *Profile   `json:"passport_profile" validate:"required"`
	Links       []Link     `json:"passport_socials" validate:"dive"`
}

type Profile struct {
	DisplayName string `json:"display_name" validate:"required"`
	Location    string `json:"location"`
}

type Link struct {
	Source    string `json:"source" validate:"required"`
	URL       string `json:"profile_url"`
	Followers string `json:"follower_count"`
}

type Proof struct {
	ID       string `json:"id" validate:"required"`
	Name     string `json:"name"`
	Category string `json:"category" validate:"required"`
	Value    string `json:"value"`
	EarnedAt string `json:"earned_at"`
}

type Page struct {
	Current int `json:"current_page"`
	Last    int `json:"last_page"`
	Total   int `json:"total"`
}

// Points is the score, or zero while there is none.
func (p Person) Points() float64 {
	if p.Score == nil {
		return 0
	}
	return *p.Score
}
