package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strconv"
)

type Passport struct {
	PassportID int     `json:"passport_id"` // hazard: integer-id
	Score      float64 `json:"score"`
	MainWallet string  `json:"main_wallet"`
}

type page struct {
	Passports  []Passport `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
	} `json:"pagination"`
}

func fetchPage(base string, number int) (page, error) {
	var out page
	resp, err := http.Get(base + "/api/v1/passports?page=" + strconv.Itoa(number)) // call: passport-list
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}

func All(base string) ([]Passport, error) {
	var all []Passport
	for number := 1; ; number++ {
		p, err := fetchPage(base, number)
		if err != nil {
			return nil, err
		}
		all = append(all, p.Passports...)
		if p.Pagination.CurrentPage >= p.Pagination.LastPage { // read: pagination.current_page, pagination.last_page
			break
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Score > all[j].Score }) // read: passports[].score
	for _, holder := range all {
		fmt.Println(holder.PassportID, holder.MainWallet) // read: passports[].passport_id, passports[].main_wallet
	}
	return all, nil
}
