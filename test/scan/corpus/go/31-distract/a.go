package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type Passport struct {
	Score    float64 `json:"score"`
	Location string  `json:"location"`
	Name     string  `json:"display_name"`
}

type Page struct {
	Items      []Passport `json:"items"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}

func v2(id string) (Passport, error) {
	var out struct {
		Passport Passport `json:"passport"`
	}
	resp, err := http.Get("https://rep.example.org/api/v2/passports/" + id)
	if err != nil {
		return Passport{}, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out.Passport, err
}

func airports() int {
	resp, err := http.Get("https://travel.example.com/api/v1/airports")
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	var p Page
	json.NewDecoder(resp.Body).Decode(&p)
	return p.Pagination.Total + int(p.Items[0].Score)
}

func wallet(id string) (string, error) {
	resp, err := http.Get("https://rep.example.org/api/v1/passports/" + id) // call: passport
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var body struct {
		Passport struct {
			MainWallet string `json:"main_wallet"`
		} `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return "", err
	}
	return body.Passport.MainWallet, nil // read: passport.main_wallet
}

func stamps() {
	resp, err := http.Post("https://rep.example.org/api/v1/passports", "application/json", nil)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	var p Passport
	json.NewDecoder(resp.Body).Decode(&p)
	fmt.Println(p.Score)
}

func main() {
	p, _ := v2("1")
	fmt.Println(p.Score, p.Location, p.Name, airports())
	w, err := wallet("1")
	fmt.Println(w, err)
	stamps()
}
