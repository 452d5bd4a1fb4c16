package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

var errUnknownMember = errors.New("unknown member")

type Passport struct {
	PassportID      int64    `json:"passport_id"`
	Score           float64  `json:"score"`
	ActivityScore   float64  `json:"activity_score"`
	HumanCheckmark  bool     `json:"human_checkmark"`
	MainWallet      string   `json:"main_wallet"`
	PassportProfile Profile  `json:"passport_profile"`
	PassportSocials []Social `json:"passport_socials,omitempty"`
}

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source     string `json:"source"`
	ProfileURL string `json:"profile_url"`
}

type Credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	EarnedAt *string `json:"earned_at"`
}

func (s *server) talentGet(ctx context.Context, path string, q url.Values, out any) error {
	u := envOr("TALENT_URL", "https://api.talentprotocol.com") + path
	if len(q) > 0 {
		u += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", envOr("TALENT_API_KEY", ""))
	res, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
		return json.NewDecoder(res.Body).Decode(out)
	case http.StatusNotFound:
		return errUnknownMember
	default:
		return fmt.Errorf("talent: %s", res.Status)
	}
}

func (s *server) passport(ctx context.Context, wallet string) (Passport, error) {
	var out struct {
		Passport Passport `json:"passport"`
	}
	err := s.talentGet(ctx, "/api/v1/passports/"+url.PathEscape(wallet), nil, &out)
	return out.Passport, err
}

func (s *server) passports(ctx context.Context, keyword string) ([]Passport, int, error) {
	var out struct {
		Passports  []Passport `json:"passports"`
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	err := s.talentGet(ctx, "/api/v1/passports", url.Values{"keyword": {keyword}}, &out)
	return out.Passports, out.Pagination.Total, err
}

func (s *server) credentials(ctx context.Context, id int64) []Credential {
	var out struct {
		PassportCredentials []Credential `json:"passport_credentials"`
	}
	q := url.Values{"passport_id": {fmt.Sprint(id)}}
	if err := s.talentGet(ctx, "/api/v1/passport_credentials", q, &out); err != nil {
		return nil
	}
	return out.PassportCredentials
}
