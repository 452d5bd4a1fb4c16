package a

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
)

type stats struct {
	total int
	names []string
}

type page struct {
	Items []struct {
		Wallet  string `json:"main_wallet"`
		Profile struct {
			Name string `json:"display_name"`
		} `json:"passport_profile"`
	} `json:"passports"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}

func fetchPage(n int) (page, error) {
	var p page
	resp, err := http.Get("https://h/api/v1/passports?page=" + strconv.Itoa(n)) // call: passport-list
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 { // hazard: status-default
		return p, nil
	}
	err = json.NewDecoder(resp.Body).Decode(&p)
	return p, err
}

func collect() stats {
	st := stats{}
	for n := 1; n < 4; n++ {
		p, err := fetchPage(n)
		if err != nil { // hazard: catch-default
			slog.Warn("skip", "err", err)
			break
		}
		st.total = p.Pagination.Total // read: pagination.total
		for _, it := range p.Items {
			st.names = append(st.names, it.Profile.Name+it.Wallet) // read: passports[].passport_profile.display_name, passports[].main_wallet
		}
	}
	return st
}

func first() (string, error) {
	p, err := fetchPage(1)
	if err != nil {
		return "", err
	}
	if len(p.Items) == 0 {
		return "", nil
	}
	return p.Items[0].Wallet, nil // read: passports[].main_wallet
}
