package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type credential struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Kind     string  `json:"type"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

type course struct {
	Name     string
	Score    float64
	MaxScore float64
}

func credentials(passportID string) []credential {
	url := fmt.Sprintf("%s/api/v1/passport_credentials?passport_id=%s", os.Getenv("REP_URL"), passportID)
	resp, err := http.Get(url) // call: passport-credentials
	if err != nil { // hazard: catch-default
		return nil
	}
	defer resp.Body.Close()
	var out struct {
		Items []credential `json:"passport_credentials"`
	}
	if json.NewDecoder(resp.Body).Decode(&out) != nil { // hazard: catch-default
		return nil
	}
	return out.Items
}

func main() {
	var total float64
	for _, c := range credentials(os.Args[1]) {
		total += c.Score // read: passport_credentials[].score
		fmt.Printf("%s %s %s %.0f%%\n", c.ID, c.Kind, c.EarnedAt, 100*c.Score/c.MaxScore) // read: passport_credentials[].id, passport_credentials[].type, passport_credentials[].earned_at, passport_credentials[].score, passport_credentials[].max_score
	}
	c := course{Name: "Go", Score: 4, MaxScore: 5}
	fmt.Println(total, c.Name, c.Score/c.MaxScore)
}
