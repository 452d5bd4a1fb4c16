package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strings"
)

type listing[T any] struct {
	Items []T `json:"passports"`
	Pages paging `json:"pagination"`
}
type paging struct {
	Now  int `json:"current_page"`
	Last int `json:"last_page"`
}
type row struct {
	ID    int     `json:"passport_id"` // hazard: integer-id
	Score float64 `json:"score"`
	Who   struct {
		Name string   `json:"display_name"`
		Tags []string `json:"tags"`
	} `json:"passport_profile"`
}

func get[T any](path string) (T, error) {
	var out T
	resp, err := http.Get("https://rep.example.org" + path)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func mapTo[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0, len(in))
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}

func filter[T any](in []T, keep func(T) bool) []T {
	var out []T
	for _, x := range in {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

func everyone() []row {
	var all []row
	for page := 1; ; page++ {
		l := must(get[listing[row]](fmt.Sprintf("/api/v1/passports?page=%d", page))) // call: passport-list
		all = append(all, l.Items...)
		if l.Pages.Now >= l.Pages.Last { // read: pagination.current_page, pagination.last_page
			return all
		}
	}
}

func main() {
	all := everyone()
	slices.SortFunc(all, func(a, b row) int {
		return strings.Compare(a.Who.Name, b.Who.Name) // read: passports[].passport_profile.display_name
	})
	good := filter(all, func(r row) bool { return r.Score > 10 }) // read: passports[].score
	ids := mapTo(good, func(r row) int { return r.ID }) // read: passports[].passport_id
	fmt.Println(ids)
	sort.SliceStable(good, func(i, j int) bool {
		return len(good[i].Who.Tags) < len(good[j].Who.Tags) // read: passports[].passport_profile.tags[]
	})
	byID := map[int]row{}
	for _, r := range good {
		byID[r.ID] = r // read: passports[].passport_id
	}
	if r, ok := byID[3]; ok {
		fmt.Println(r.Who.Name) // read: passports[].passport_profile.display_name
	}
}
