package main

import (
	"context"
	"net/http"
	"time"

	"github.com/carlmjohnson/requests"
)

type person struct {
	ID          int64     `json:"passport_id"`
	Score       float64   `json:"score"`
	Activity    float64   `json:"activity_score"`
	Identity    float64   `json:"identity_score"`
	Skills      float64   `json:"skills_score"`
	Connections int       `json:"connections_count"`
	Calculated  time.Time `json:"last_calculated_at"`
	Wallets     []string  `json:"verified_wallets"`
}

type credential struct {
	Category string  `json:"category"`
	Type     string  `json:"type"`
	Score    float64 `json:"score"`
	Max      float64 `json:"max_score"`
}

type source struct {
	base *requests.Builder
}

func newSource(url, key string) *source {
	return &source{
		base: requests.URL(url).
			Path("/api/v1/").
			Header("X-API-KEY", key).
			Client(&http.Client{Timeout: 12 * time.Second}).
			UserAgent("repute_exporter/0.4"),
	}
}

func (s *source) person(ctx context.Context, wallet string) (*person, error) {
	var out struct {
		Passport *person `json:"passport"`
	}
	err := s.base.Clone().
		Pathf("passports/%s", wallet).
		ToJSON(&out).
		Fetch(ctx)
	if requests.HasStatusErr(err, http.StatusNotFound) {
		return nil, nil
	}
	return out.Passport, err
}

func (s *source) credentials(ctx context.Context, wallet string) (list []credential, err error) {
	var out struct {
		Credentials []credential `json:"passport_credentials"`
	}
	err = s.base.Clone().
		Path("passport_credentials").
		Param("passport_id", wallet).
		ToJSON(&out).
		Fetch(ctx)
	return out.Credentials, err
}

// population is the size of the whole directory.
func (s *source) population(ctx context.Context) int {
	var out struct {
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	if err := s.base.Clone().Path("passports").ToJSON(&out).Fetch(ctx); err != nil {
		return 0
	}
	return out.Pagination.Total
}
