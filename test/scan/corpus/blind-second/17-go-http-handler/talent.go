package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

var errNotFound = errors.New("passport not found")

type Profile struct {
	Bio         string   `json:"bio"`
	DisplayName string   `json:"display_name"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source        string `json:"source"`
	ProfileName   string `json:"profile_name"`
	ProfileURL    string `json:"profile_url"`
	FollowerCount string `json:"follower_count"`
}

type Passport struct {
	ID               int        `json:"passport_id"`
	Score            int        `json:"score"`
	HumanCheckmark   bool       `json:"human_checkmark"`
	LastCalculatedAt *time.Time `json:"last_calculated_at"`
	VerifiedWallets  []string   `json:"verified_wallets"`
	Profile          Profile    `json:"passport_profile"`
	Socials          []Social   `json:"passport_socials"`
}

type talentAPI struct {
	base string
	key  string
	http *http.Client
}

func newTalentAPI() *talentAPI {
	base := os.Getenv("TALENT_API_URL")
	if base == "" {
		base = "https://api.talentprotocol.com/api/v1"
	}
	return &talentAPI{base: base, key: os.Getenv("TALENT_API_KEY"), http: &http.Client{Timeout: 10 * time.Second}}
}

func (t *talentAPI) passport(ctx context.Context, wallet string) (*Passport, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+"/passports/"+url.PathEscape(wallet), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", t.key)

	resp, err := t.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("talent: %w", err)
	}
	defer resp.Body.Close()

	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, errNotFound
	default:
		return nil, fmt.Errorf("talent: unexpected status %s", resp.Status)
	}

	var body struct {
		Passport Passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, fmt.Errorf("talent: %w", err)
	}
	return &body.Passport, nil
}
