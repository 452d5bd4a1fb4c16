package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"example.com/addr/cfg"
)

type app struct {
	cfg cfg.Config
	u   *url.URL
}

func (a *app) passport(id string) (map[string]any, error) {
	p := strings.NewReplacer(":id", id).Replace(a.cfg.Endpoints.Passport)
	return getJSON(a.cfg.Base + p) // call: passport
}

func getJSON(u string) (out map[string]any, err error) {
	r, err := http.Get(u)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(b, &out)
	return
}

func (a *app) creds(id string) ([]any, error) {
	u, err := a.u.Parse(a.cfg.Endpoints.Creds)
	if err != nil {
		return nil, err
	}
	u.RawQuery = "passport_id=" + id
	m, err := getJSON(u.String()) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	list, ok := m["passport_credentials"].([]any)
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	return list, nil
}

func list(base string) {
	full, err := url.JoinPath(base, "api", "v1", "passports")
	if err != nil {
		panic(err)
	}
	m, err := getJSON(full + "?keyword=x") // call: passport-list
	if err != nil {
		panic(err)
	}
	for _, it := range m["passports"].([]any) {
		println(it.(map[string]any)["passport_id"]) // read: passports[].passport_id
	}
	rel := &url.URL{Path: "/api/v1/passports"}
	b, _ := url.Parse(base)
	m, err = getJSON(b.ResolveReference(rel).String()) // call: passport-list
	if err != nil {
		panic(err)
	}
	println(m["pagination"].(map[string]any)["total"].(float64)) // read: pagination.total
}

func main() {
	c := cfg.Default()
	u, _ := url.Parse(c.Base)
	a := &app{cfg: c, u: u}
	m, err := a.passport("1")
	if err != nil {
		panic(err)
	}
	if p, ok := m["passport"].(map[string]any); ok {
		println(p["score"].(float64)) // read: passport.score
		if prof, ok := p["passport_profile"].(map[string]any); ok { // read: passport.passport_profile
			for _, t := range prof["tags"].([]any) { // read: passport.passport_profile.tags[]
				println(t.(string))
			}
		}
	}
	cs, err := a.creds("1")
	if err != nil {
		panic(err)
	}
	for _, c := range cs {
		cred := c.(map[string]any)
		println(cred["name"].(string), cred["max_score"].(float64)) // read: passport_credentials[].name, passport_credentials[].max_score
	}
}
