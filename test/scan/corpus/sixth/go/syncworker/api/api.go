package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Social struct {
	Source        string `json:"source"`
	ProfileName   string `json:"profile_name"`
	ProfileURL    string `json:"profile_url"`
	FollowerCount string `json:"follower_count"`
}

type Passport struct {
	ID         *int64   `json:"passport_id"` // hazard: integer-id
	Score      *float64 `json:"score"`
	MainWallet *string  `json:"main_wallet"`
	Merged     bool     `json:"merged"`
	Socials    []Social `json:"passport_socials"`
}

type PassportResponse struct {
	Passport Passport `json:"passport"`
}

type ListResponse struct {
	Passports []Passport `json:"passports"`
}

type API struct {
	Base string
	Key  string
	HC   *http.Client
}

func (a *API) do(ctx context.Context, path string, q url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Base+path+"?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", a.Key)
	res, err := a.HC.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("unexpected status %s", res.Status)
	}
	return json.NewDecoder(res.Body).Decode(out)
}

func (a *API) Passport(ctx context.Context, wallet string) (*Passport, error) {
	var out PassportResponse
	if err := a.do(ctx, "/api/v1/passports/"+wallet, nil, &out); err != nil { // call: passport
		return nil, err
	}
	return &out.Passport, nil
}

func (a *API) Search(ctx context.Context, keyword string) ([]Passport, error) {
	var out ListResponse
	err := a.do(ctx, "/api/v1/passports", url.Values{"keyword": {keyword}}, &out) // call: passport-list
	return out.Passports, err
}
