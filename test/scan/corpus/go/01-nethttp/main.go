package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type passportResponse struct {
	Passport struct {
		Score          float64 `json:"score"`
		HumanCheckmark bool    `json:"human_checkmark"`
	} `json:"passport"`
}

func getScore(wallet string) float64 {
	url := fmt.Sprintf("%s/api/v1/passports/%s", os.Getenv("API_URL"), wallet)
	resp, err := http.Get(url) // call: passport
	if err != nil { // hazard: catch-default
		return 0
	}
	defer resp.Body.Close()
	var out passportResponse
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil { // hazard: catch-default
		return 0
	}
	if out.Passport.HumanCheckmark { // read: passport.human_checkmark
		return out.Passport.Score * 2 // read: passport.score
	}
	return out.Passport.Score // read: passport.score
}

func main() { fmt.Println(getScore(os.Args[1])) }
