package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
)

type envelope struct {
	Passport *person `json:"passport"`
}
type person struct {
	Score float64 `json:"score"`
	Human bool    `json:"human_checkmark"`
}

func byPath(id string) (*person, error) {
	u := &url.URL{Scheme: "https", Host: "rep.example.org"}
	u.Path = path.Join("/api/v1/passports", id)
	resp, err := http.Get(u.String()) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var env envelope
	if err := json.NewDecoder(resp.Body).Decode(&env); err != nil {
		return nil, err
	}
	return env.Passport, nil
}

func credentials(base *url.URL, id string) (int, error) {
	ref := base.ResolveReference(&url.URL{Path: "/api/v1/passport_credentials", RawQuery: "passport_id=" + id})
	req, err := http.NewRequest(http.MethodGet, ref.String(), nil) // call: passport-credentials
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var out struct {
		List []struct {
			Max float64 `json:"max_score"`
		} `json:"passport_credentials"`
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return 0, err
	}
	n := 0
	for i := range out.List {
		if out.List[i].Max > 3 { // read: passport_credentials[].max_score
			n++
		}
	}
	return n, nil
}

func listed(raw string) (total int, err error) {
	u, err := url.Parse(raw)
	if err != nil {
		return 0, err
	}
	u.Path += "/api/v1/passports"
	q := u.Query()
	q.Add("keyword", "x")
	u.RawQuery = q.Encode()
	resp, err := http.Get(u.String()) // call: passport-list
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var body struct{ Pagination struct{ Total int } }
	err = json.NewDecoder(resp.Body).Decode(&body)
	return body.Pagination.Total, err // read: pagination.total
}

func shop(raw string) {
	u, _ := url.Parse(raw)
	u.Path = "/api/v1/orders"
	http.Get(u.String())
}

func main() {
	p, err := byPath("1")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Score, p.Human) // read: passport.score, passport.human_checkmark
}
