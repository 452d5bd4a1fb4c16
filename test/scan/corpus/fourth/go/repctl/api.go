package main

import (
	"encoding/json"
	"net/http"
	"net/url"
)

type host struct {
	MainWallet string
	Total      int
}

type passport struct {
	MainWallet    string  `json:"main_wallet"`
	ActivityScore float64 `json:"activity_score"`
	IdentityScore float64 `json:"identity_score"`
	SkillsScore   float64 `json:"skills_score"`
}

type api struct {
	base *url.URL
	key  string
}

func newAPI(key string) *api {
	base, _ := url.Parse("https://rep.example.org/api/v1/")
	return &api{base: base, key: key}
}

func (a *api) do(rel string, out any) error {
	ref, err := a.base.Parse(rel)
	if err != nil {
		return err
	}
	req, err := http.NewRequest("GET", ref.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", a.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

func (a *api) list(keyword string) ([]passport, error) {
	var out struct {
		Passports []passport `json:"passports"`
	}
	err := a.do("passports?keyword="+url.QueryEscape(keyword), &out) // call: passport-list
	return out.Passports, err
}
