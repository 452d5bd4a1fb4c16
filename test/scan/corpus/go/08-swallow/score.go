package score

import (
	"encoding/json"
	"log"
	"net/http"
)

type credential struct {
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	Category string  `json:"category"`
}

type credentials struct {
	Items []credential `json:"passport_credentials"`
}

func fetch(id string) []credential {
	resp, err := http.Get("https://api.example.com/api/v1/passport_credentials?passport_id=" + id) // call: passport-credentials
	if err != nil { // hazard: catch-default
		log.Printf("credentials: %v", err)
		return nil
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 { // hazard: status-default
		return []credential{}
	}
	var out credentials
	if json.NewDecoder(resp.Body).Decode(&out) != nil { // hazard: catch-default
		return nil
	}
	return out.Items
}

func Share(id string) float64 {
	var have, most float64
	for _, c := range fetch(id) {
		if c.Category == "Skills" { // read: passport_credentials[].category
			have += c.Score    // read: passport_credentials[].score
			most += c.MaxScore // read: passport_credentials[].max_score
		}
	}
	return have / most
}
