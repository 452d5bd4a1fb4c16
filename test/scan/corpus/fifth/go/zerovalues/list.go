package zerovalues

import (
	"encoding/json"
	"net/http"
)

type listed struct {
	Passports []struct {
		ConnectionsCount *int    `json:"connections_count"`
		SkillsScore      float64 `json:"skills_score"`
	} `json:"passports"`
}

// Connections adds up what the first page of /api/v1/passports says.
func Connections() int {
	resp, err := http.DefaultClient.Get("https://rep.example.org" + "/api/v1/passports") // call: passport-list
	if err != nil { // hazard: catch-default
		return 0
	}
	defer resp.Body.Close()
	var l listed
	if err := json.NewDecoder(resp.Body).Decode(&l); err != nil { // hazard: catch-default
		return 0
	}
	sum := 0
	for _, p := range l.Passports {
		if p.ConnectionsCount != nil && p.SkillsScore > 1 { // read: passports[].connections_count, passports[].skills_score
			sum += *p.ConnectionsCount // read: passports[].connections_count
		}
	}
	return sum
}
