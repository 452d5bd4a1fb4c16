package main

import (
	"context"
	"encoding/json"
	"net/http"
)

type Passport struct {
	PassportID      int      `json:"passport_id"`
	Score           int      `json:"score"`
	HumanCheckmark  bool     `json:"human_checkmark"`
	VerifiedWallets []string `json:"verified_wallets"`
	Profile         struct {
		DisplayName string   `json:"display_name"`
		Bio         string   `json:"bio"`
		Tags        []string `json:"tags"`
	} `json:"passport_profile"`
	Socials []Social `json:"passport_socials"`
}

type Social struct {
	Source        string `json:"source"`
	ProfileURL    string `json:"profile_url"`
	FollowerCount string `json:"follower_count"`
}

type Talent struct {
	BaseURL string
	Key     string
	HTTP    *http.Client
}

func (t *Talent) Passport(ctx context.Context, wallet string) (*Passport, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.BaseURL+"/api/v1/passports/"+wallet, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", t.Key)
	resp, err := t.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()

	var body struct {
		Passport Passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	return &body.Passport, nil
}
