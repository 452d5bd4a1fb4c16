package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

type talentAPI struct {
	base   *url.URL
	key    string
	client http.Client
}

type talentPassport struct {
	ID      int     `json:"passport_id"`
	Score   float64 `json:"score"`
	Human   *bool   `json:"human_checkmark,omitempty"`
	Wallet  string  `json:"main_wallet"`
	Profile *struct {
		Name string `json:"display_name"`
	} `json:"passport_profile"`
}

func (p talentPassport) name() string {
	if p.Profile == nil || p.Profile.Name == "" {
		return "(anonymous)"
	}
	return p.Profile.Name
}

type badge struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type findResult struct {
	Passports  []talentPassport `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}

func newAPI(base, key string) *talentAPI {
	u, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	return &talentAPI{base: u, key: key, client: http.Client{Timeout: 15 * time.Second}}
}

func (a *talentAPI) do(u *url.URL, v any) error {
	req := &http.Request{Method: http.MethodGet, URL: u, Header: http.Header{"X-Api-Key": {a.key}}}
	res, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("GET %s: %s", u.Path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(v)
}

func (a *talentAPI) passport(wallet string) (talentPassport, error) {
	var body struct {
		Passport talentPassport `json:"passport"`
	}
	err := a.do(a.base.JoinPath("api", "v1", "passports", wallet), &body)
	return body.Passport, err
}

func (a *talentAPI) find(name string, page int) (*findResult, error) {
	u := a.base.JoinPath("/api/v1/passports")
	u.RawQuery = url.Values{"keyword": {name}, "page": {strconv.Itoa(page)}}.Encode()
	var body findResult
	if err := a.do(u, &body); err != nil {
		return nil, err
	}
	return &body, nil
}

func (a *talentAPI) badges(id int) ([]badge, error) {
	u := a.base.JoinPath("/api/v1/passport_credentials")
	u.RawQuery = "passport_id=" + strconv.Itoa(id)
	var body struct {
		Credentials []badge `json:"passport_credentials"`
	}
	if err := a.do(u, &body); err != nil {
		return nil, err
	}
	kept := body.Credentials[:0]
	for _, b := range body.Credentials {
		if b.Value != "" && b.Type != "active_wallet" {
			kept = append(kept, b)
		}
	}
	return kept, nil
}
