package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

type Page struct {
	Passports  []Entry `json:"passports"`
	Pagination *struct {
		Current int `json:"current_page"`
		Last    int `json:"last_page"`
	} `json:"pagination"`
}

type Entry struct {
	MainWallet  string `json:"main_wallet"`
	Connections int    `json:"connections_count"`
	Skills      float64 `json:"skills_score"`
}

type API struct {
	Base *url.URL
	HTTP *http.Client
}

func (a *API) endpoint(parts ...string) *url.URL {
	return a.Base.JoinPath(append([]string{"api", "v1"}, parts...)...)
}

func (a *API) page(n int) (*Page, error) {
	u := a.Base.JoinPath("api", "v1", "passports")
	u.RawQuery = url.Values{"page": []string{strconv.Itoa(n)}}.Encode()
	resp, err := a.HTTP.Get(u.String()) // call: passport-list
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var p Page
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		return nil, err
	}
	return &p, nil
}

func (a *API) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for n := 1; ; n++ {
			p, err := a.page(n)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range p.Passports {
				if !yield(e, nil) {
					return
				}
			}
			if p.Pagination == nil || p.Pagination.Current == p.Pagination.Last { // read: pagination.current_page, pagination.last_page
				return
			}
		}
	}
}

func (a *API) Each(visit func(Entry) error) error {
	p, err := a.page(1)
	if err != nil {
		return err
	}
	for _, e := range p.Passports {
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	base, _ := url.Parse("https://rep.example.org")
	a := &API{Base: base, HTTP: http.DefaultClient}
	for e, err := range a.All() {
		if err != nil {
			panic(err)
		}
		fmt.Println(e.MainWallet) // read: passports[].main_wallet
	}
	total := 0
	err := a.Each(func(e Entry) error {
		total += e.Connections // read: passports[].connections_count
		return nil
	})
	fmt.Println(total, err)
	var it iterator
	it.api = a
	for it.Next() {
		fmt.Println(it.Entry().Skills) // read: passports[].skills_score
	}
}

type iterator struct {
	api *API
	buf []Entry
	cur Entry
	n   int
}

func (it *iterator) Next() bool {
	if len(it.buf) == 0 {
		it.n++
		p, err := it.api.page(it.n)
		if err != nil { // hazard: catch-default
			return false
		}
		it.buf = p.Passports
	}
	it.cur, it.buf = it.buf[0], it.buf[1:]
	return true
}

func (it *iterator) Entry() Entry { return it.cur }
