package store

import "time"

// Passport is the service history of one bicycle frame.
type Passport struct {
	PassportID  int       `json:"passport_id" db:"id"`
	FrameNumber string    `json:"frame_number" db:"frame_number"`
	Score       float64   `json:"score" db:"score"`
	Merged      bool      `json:"merged" db:"merged"`
	InspectedAt time.Time `json:"last_inspected_at" db:"last_inspected_at"`
	Profile     Profile   `json:"profile"`
}

type Profile struct {
	DisplayName string   `json:"display_name" db:"display_name"`
	Location    string   `json:"location" db:"location"`
	Tags        []string `json:"tags" db:"tags"`
}

// Credential is a mechanic's certificate, attached to an inspection.
type Credential struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Category string `json:"category"`
	EarnedAt string `json:"earned_at"`
}
