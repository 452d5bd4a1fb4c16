package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const apiPrefix = "/api/v1/"

func endpoint(parts ...string) string { return apiPrefix + strings.Join(parts, "/") }

func list(base *url.URL, kw string) (map[string]interface{}, error) {
	u := base.JoinPath(endpoint("passports"))
	q := u.Query()
	q.Set("keyword", kw)
	u.RawQuery = q.Encode()
	return ask(u) // call: passport-list
}

func ask(u *url.URL) (map[string]interface{}, error) {
	resp, err := http.DefaultClient.Do(&http.Request{Method: "GET", URL: u, Header: http.Header{"X-API-KEY": {"k"}}})
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out := map[string]interface{}{}
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}

func main() {
	u, _ := url.Parse("https://h")
	m, err := list(u, "x")
	if err != nil {
		panic(err)
	}
	for _, x := range m["passports"].([]interface{}) {
		row, ok := x.(map[string]interface{})
		if !ok {
			continue
		}
		score, _ := row["score"].(float64) // read: passports[].score; hazard: fallback-default
		fmt.Println(score, row["human_checkmark"] == true) // read: passports[].human_checkmark
		prof := row["passport_profile"].(map[string]interface{})["display_name"] // read: passports[].passport_profile.display_name
		fmt.Println(prof)
	}
	pg := m["pagination"].(map[string]interface{}) // read: pagination
	fmt.Println(int(pg["total"].(float64))) // read: pagination.total
}
