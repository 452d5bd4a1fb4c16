package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
)

var apiBase = flag.String("api", "https://api.example.com", "base URL")

type list struct {
	Passports []entry `json:"passports"`
}

type entry struct {
	Id       int    `json:"passport_id"` // hazard: integer-id
	Identity int    `json:"identity_score"`
	Wallet   string `json:"main_wallet"`
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	flag.Parse()
	resp, err := http.Get(*apiBase + "/api/v1/passports?keyword=" + flag.Arg(0)) // call: passport-list
	must(err)
	defer resp.Body.Close()
	l := list{}
	must(json.NewDecoder(resp.Body).Decode(&l))
	for i := 0; i < len(l.Passports); i++ {
		e := l.Passports[i]
		fmt.Printf("%d %s %d\n", e.Id, e.Wallet, e.Identity) // read: passports[].passport_id, passports[].main_wallet, passports[].identity_score
	}
}
