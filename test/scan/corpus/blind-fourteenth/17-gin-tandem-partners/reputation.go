package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/tidwall/gjson"
)

type reputation struct {
	base string
	key  string
}

type Partner struct {
	ID       int64    `json:"id"`
	Name     string   `json:"name"`
	Bio      string   `json:"bio"`
	Score    int64    `json:"score"`
	Verified bool     `json:"verified"`
	Tags     []string `json:"tags"`
	Links    []Link   `json:"links,omitempty"`
}

type Link struct {
	Network string `json:"network"`
	URL     string `json:"url"`
}

func (r *reputation) fetch(rawURL string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, rawURL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", r.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func (r *reputation) Search(keyword string) ([]Partner, int64, error) {
	u := r.base + "/passports?keyword=" + url.QueryEscape(keyword)
	body, err := r.fetch(u)
	if err != nil {
		return nil, 0, err
	}
	var out []Partner
	gjson.GetBytes(body, "passports").ForEach(func(_, p gjson.Result) bool {
		if !p.Get("calculating_score").Bool() {
			out = append(out, toPartner(p))
		}
		return true
	})
	return out, gjson.GetBytes(body, "pagination.total").Int(), nil
}

func (r *reputation) Get(id string) (*Partner, error) {
	body, err := r.fetch(fmt.Sprintf("%s/passports/%s", r.base, id))
	if err != nil {
		return nil, err
	}
	p := gjson.GetBytes(body, "passport")
	if !p.Exists() {
		return nil, fmt.Errorf("no passport for %s: %s", id, gjson.GetBytes(body, "error"))
	}
	partner := toPartner(p)
	for _, s := range p.Get("passport_socials").Array() {
		if link := s.Get("profile_url").String(); link != "" {
			partner.Links = append(partner.Links, Link{Network: s.Get("source").String(), URL: link})
		}
	}
	return &partner, nil
}

func (r *reputation) Languages(id int64) []string {
	body, err := r.fetch(fmt.Sprintf("%s/passport_credentials?passport_id=%d", r.base, id))
	if err != nil {
		return nil
	}
	var out []string
	for _, c := range gjson.GetBytes(body, "passport_credentials").Array() {
		if c.Get("category").String() == "Skills" {
			out = append(out, c.Get("name").String())
		}
	}
	return out
}

func toPartner(p gjson.Result) Partner {
	partner := Partner{
		ID:       p.Get("passport_id").Int(),
		Name:     p.Get("passport_profile.display_name").String(),
		Bio:      p.Get("passport_profile.bio").String(),
		Score:    p.Get("score").Int(),
		Verified: p.Get("human_checkmark").Bool(),
	}
	for _, t := range p.Get("passport_profile.tags").Array() {
		partner.Tags = append(partner.Tags, t.String())
	}
	return partner
}
