package main

import (
	"fmt"
	"time"

	"github.com/go-resty/resty/v2"
)

type Credential struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	Type         string  `json:"type"`
	Category     string  `json:"category"`
	Value        string  `json:"value"`
	Score        float64 `json:"score"`
	MaxScore     float64 `json:"max_score"`
	EarnedAt     string  `json:"earned_at"`
	CalculatedAt string  `json:"last_calculated_at"`
}

type credentialReply struct {
	Items []Credential `json:"passport_credentials"`
}

type api struct {
	rest *resty.Client
}

func newAPI(base, key string) *api {
	c := resty.New().SetBaseURL(base).SetHeader("X-API-KEY", key)
	c.SetTimeout(10 * time.Second).SetRetryCount(2)
	return &api{rest: c}
}

func (a *api) credentials(passportID int) ([]Credential, error) {
	var out credentialReply
	resp, err := a.rest.R().
		SetQueryParam("passport_id", fmt.Sprint(passportID)).
		SetResult(&out).
		Get("/api/v1/passport_credentials") // call: passport-credentials
	if err != nil {
		return nil, err
	}
	if resp.IsError() {
		return nil, fmt.Errorf("credentials of %d: %s", passportID, resp.Status())
	}
	return out.Items, nil
}

func (a *api) badgeCatalog() ([]string, error) {
	var names []string
	_, err := a.rest.R().SetResult(&names).Get("/api/v1/badge_catalog")
	return names, err
}
