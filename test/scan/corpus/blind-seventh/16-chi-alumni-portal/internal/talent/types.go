package talent

import "time"

type Passport struct {
	ID            int        `json:"passport_id"`
	Score         float64    `json:"score"`
	Activity      float64    `json:"activity_score"`
	Identity      float64    `json:"identity_score"`
	Skills        float64    `json:"skills_score"`
	Calculating   bool       `json:"calculating_score"`
	Connections   int        `json:"connections_count"`
	Human         bool       `json:"human_checkmark"`
	CalculatedAt  *time.Time `json:"last_calculated_at"`
	MainWallet    string     `json:"main_wallet"`
	Wallets       []string   `json:"verified_wallets"`
	Profile       Profile    `json:"passport_profile"`
	Socials       []Social   `json:"passport_socials,omitempty"`
	MergedAccount bool       `json:"merged"`
}

type Profile struct {
	Bio         string   `json:"bio"`
	DisplayName string   `json:"display_name"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source string `json:"source"`
	Name   string `json:"profile_name"`
	URL    string `json:"profile_url"`
	Image  string `json:"profile_image_url"`
}

type Credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

type Page struct {
	Current int `json:"current_page"`
	Last    int `json:"last_page"`
	Total   int `json:"total"`
}
