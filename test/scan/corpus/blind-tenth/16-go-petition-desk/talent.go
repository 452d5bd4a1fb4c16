package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

type signer struct {
	PassportID     int       `json:"passport_id"`
	Score          float64   `json:"score"`
	IdentityScore  float64   `json:"identity_score"`
	Human          bool      `json:"human_checkmark"`
	LastCalculated time.Time `json:"last_calculated_at"`
	Profile        struct {
		Name string   `json:"display_name"`
		City string   `json:"location"`
		Tags []string `json:"tags"`
	} `json:"passport_profile"`
	Socials []social `json:"passport_socials"`
}

type social struct {
	Source    string `json:"source"`
	URL       string `json:"profile_url"`
	Followers string `json:"follower_count"`
}

type credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	Value    *string `json:"value"`
}

type talentAPI struct {
	base *url.URL
	key  string
	http *http.Client
}

func (t *talentAPI) do(ctx context.Context, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if t.key != "" {
		req.Header.Set("X-API-KEY", t.key)
	}
	return t.http.Do(req)
}

func (t *talentAPI) signer(ctx context.Context, wallet string) *signer {
	res, err := t.do(ctx, t.base.JoinPath("api", "v1", "passports", wallet))
	if err != nil {
		slog.Warn("talent unreachable", "err", err)
		return nil
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil
	}
	var body struct {
		Passport *signer `json:"passport"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		return nil
	}
	return body.Passport
}

func (t *talentAPI) credentials(ctx context.Context, wallet string) ([]credential, error) {
	u := t.base.JoinPath("api/v1/passport_credentials")
	u.RawQuery = url.Values{"passport_id": {wallet}}.Encode()
	res, err := t.do(ctx, u)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var body struct {
		Items []credential `json:"passport_credentials"`
	}
	err = json.NewDecoder(res.Body).Decode(&body)
	return body.Items, err
}
