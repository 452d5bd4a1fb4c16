package a

import (
	"encoding/json"
	"net/http"
)

type listing struct {
	Passports []struct {
		Score float64 `json:"score"`
	} `json:"passports"`
}

func v1() float64 {
	r, err := http.Get("https://h/api/v1/passports") // call: passport-list
	if err != nil {
		panic(err)
	}
	defer r.Body.Close()
	var l listing
	if err := json.NewDecoder(r.Body).Decode(&l); err != nil {
		panic(err)
	}
	return l.Passports[0].Score // read: passports[].score
}
