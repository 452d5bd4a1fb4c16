package app

import "context"

type Passport struct {
	Score     float64 `json:"score"`
	Activity  float64 `json:"activity_score"`
	UpdatedAt string  `json:"last_calculated_at"`
}

type Reputation interface {
	Passport(ctx context.Context, wallet string) (*Passport, error)
	Credentials(ctx context.Context, id string) ([]Credential, error)
}

type Credential struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}
