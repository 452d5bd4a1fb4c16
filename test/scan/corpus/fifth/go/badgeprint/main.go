package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

const base = "https://rep.example.org"

type passport struct {
	ID      int      `json:"passport_id"` // hazard: integer-id
	Score   float64  `json:"score"`
	Human   bool     `json:"human_checkmark"`
	Wallets []string `json:"verified_wallets"`
	Profile struct {
		DisplayName string `json:"display_name"`
		Location    string `json:"location"`
	} `json:"passport_profile"`
}

func load(id string) (*passport, error) {
	req, err := http.NewRequest(http.MethodGet, base+"/api/v1/passports/"+id, nil) // call: passport
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", os.Getenv("REP_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body struct {
		Passport passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	return &body.Passport, nil
}

func main() {
	p, err := load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s (%s)\n", p.Profile.DisplayName, p.Profile.Location) // read: passport.passport_profile.display_name, passport.passport_profile.location
	fmt.Println(p.ID, p.Score) // read: passport.passport_id, passport.score
	if p.Human { // read: passport.human_checkmark
		fmt.Println("verified over", len(p.Wallets), "wallets") // read: passport.verified_wallets[]
	}
	printer := printerInfo{Score: 3, Location: "hall"}
	fmt.Println(printer.Score, printer.Location)
}
