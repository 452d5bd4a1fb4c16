package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

type Pager struct {
	c    *http.Client
	base *url.URL
	page int
	cur  []Row
	done bool
	err  error
}
type Row struct {
	ID    int     `json:"passport_id"` // hazard: integer-id
	Score float64 `json:"score"`
	P     *struct {
		Name string `json:"display_name"`
	} `json:"passport_profile"`
}
type response struct {
	Passports  []Row `json:"passports"`
	Pagination *struct {
		Current, Last int
		CurrentPage   int `json:"current_page"`
		LastPage      int `json:"last_page"`
	} `json:"pagination"`
}

func (p *Pager) Next(ctx context.Context) bool {
	if p.done || p.err != nil {
		return false
	}
	p.page++
	u := p.base.ResolveReference(&url.URL{Path: "/api/v1/passports", RawQuery: url.Values{"page": {strconv.Itoa(p.page)}}.Encode()})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil) // call: passport-list
	if err != nil {
		p.err = err
		return false
	}
	resp, err := p.c.Do(req)
	if err != nil {
		p.err = err
		return false
	}
	defer resp.Body.Close()
	var r response
	if p.err = json.NewDecoder(resp.Body).Decode(&r); p.err != nil {
		return false
	}
	p.cur = r.Passports
	p.done = r.Pagination == nil || r.Pagination.CurrentPage >= r.Pagination.LastPage // read: pagination.current_page, pagination.last_page
	return len(p.cur) > 0
}
func (p *Pager) Rows() []Row { return p.cur }
func (p *Pager) Err() error  { return p.err }

func main() {
	pg := &Pager{c: http.DefaultClient}
	for pg.Next(context.Background()) {
		for _, r := range pg.Rows() {
			name := "?"
			if r.P != nil && r.P.Name != "" { // read: passports[].passport_profile.display_name
				name = r.P.Name // read: passports[].passport_profile.display_name
			}
			println(r.ID, r.Score, name) // read: passports[].passport_id, passports[].score
		}
	}
}
