package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    *string  `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source    string `json:"source"`
	Name      string `json:"profile_name"`
	URL       string `json:"profile_url"`
	Followers string `json:"follower_count"`
}

type Passport struct {
	ID           int64      `json:"passport_id"`
	Score        float64    `json:"score"`
	Human        bool       `json:"human_checkmark"`
	Wallet       string     `json:"main_wallet"`
	CalculatedAt *time.Time `json:"last_calculated_at"`
	Profile      Profile    `json:"passport_profile"`
	Socials      []Social   `json:"passport_socials"`
}

type Credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
}

type reputation struct {
	host string
	key  string
	http *http.Client
}

func (r *reputation) get(ctx context.Context, u string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", r.key)
	res, err := r.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("reputation: %s", res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (r *reputation) search(ctx context.Context, name string) ([]Passport, int, error) {
	var body struct {
		Passports  []Passport `json:"passports"`
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	q := url.Values{"keyword": {name}}
	err := r.get(ctx, r.host+"/api/v1/passports?"+q.Encode(), &body)
	return body.Passports, body.Pagination.Total, err
}

func (r *reputation) person(ctx context.Context, wallet string) (*Passport, error) {
	var body struct {
		Passport Passport `json:"passport"`
	}
	u, err := url.JoinPath(r.host, "api", "v1", "passports", wallet)
	if err != nil {
		return nil, err
	}
	if err := r.get(ctx, u, &body); err != nil {
		return nil, err
	}
	return &body.Passport, nil
}

func (r *reputation) credentials(ctx context.Context, id int64) []Credential {
	var body struct {
		Items []Credential `json:"passport_credentials"`
	}
	if err := r.get(ctx, fmt.Sprintf("%s/api/v1/passport_credentials?passport_id=%d", r.host, id), &body); err != nil {
		return nil
	}
	return body.Items
}
