package main

import (
	"fmt"

	"example.com/genericpkg/fetch"
)

type env struct {
	P struct {
		Merged bool   `json:"merged"`
		Last   string `json:"last_calculated_at"`
	} `json:"passport"`
}

func main() {
	e := fetch.One[env]("/passports/7") // call: passport
	if e == nil {
		return
	}
	fmt.Println(e.P.Merged, e.P.Last) // read: passport.merged, passport.last_calculated_at
	v, err := fetch.Get[env](&fetch.Client{Base: "https://rep.example.org"}, "/api/v1/passports/8") // call: passport
	if err != nil {
		panic(err)
	}
	fmt.Println(v.P.Merged) // read: passport.merged
}
