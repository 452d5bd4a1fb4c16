package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

type page struct {
	Passports []struct {
		PassportID int     `json:"passport_id"` // hazard: integer-id
		Score      float64 `json:"score"`
	} `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}

func fetchPage(n int, keyword string) (*page, error) {
	q := url.Values{}
	q.Set("page", strconv.Itoa(n))
	q.Set("keyword", keyword)
	u := url.URL{Scheme: "https", Host: "rep.example.org", Path: "/api/v1/passports", RawQuery: q.Encode()}
	resp, err := http.Get(u.String()) // call: passport-list
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var p page
	return &p, json.NewDecoder(resp.Body).Decode(&p)
}

func main() {
	for n := 1; ; n++ {
		p, err := fetchPage(n, "sam")
		if err != nil {
			panic(err)
		}
		for _, item := range p.Passports {
			fmt.Println(item.PassportID, item.Score) // read: passports[].passport_id, passports[].score
		}
		if p.Pagination.CurrentPage >= p.Pagination.LastPage { // read: pagination.current_page, pagination.last_page
			fmt.Println("of", p.Pagination.Total) // read: pagination.total
			return
		}
	}
}
