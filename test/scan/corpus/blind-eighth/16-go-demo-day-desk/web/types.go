package web

import "time"

type founder struct {
	ID       int        `json:"passport_id"`
	Score    float64    `json:"score"`
	Activity float64    `json:"activity_score"`
	Skills   float64    `json:"skills_score"`
	Human    bool       `json:"human_checkmark"`
	Pending  bool       `json:"calculating_score"`
	Updated  *time.Time `json:"last_calculated_at"`
	Wallet   string     `json:"main_wallet"`
	Profile  struct {
		Name string   `json:"display_name"`
		Bio  string   `json:"bio"`
		Tags []string `json:"tags"`
	} `json:"passport_profile"`
	Socials []handle `json:"passport_socials"`
}

type handle struct {
	Network string `json:"source"`
	URL     string `json:"profile_url"`
	Image   string `json:"profile_image_url"`
}

type achievement struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Points   float64 `json:"score"`
	Max      float64 `json:"max_score"`
	Value    *string `json:"value"`
}

// pitch is what the jury's sheet shows.
type pitch struct {
	Founder      founder
	Avatar       string
	Achievements []achievement
	Percent      int
}
