package typed

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

func load(id int64) (Envelope, error) {
	var e Envelope
	resp, err := http.Get(fmt.Sprintf("https://api.example.com/api/v1/passports/%d", id)) // call: passport; hazard: integer-id
	if err != nil {
		return e, err
	}
	defer resp.Body.Close()
	return e, json.NewDecoder(resp.Body).Decode(&e)
}

func Reach(id int64) (int, error) {
	e, err := load(id)
	if err != nil {
		return 0, err
	}
	total := 0
	for i := range e.Passport.Socials { // read: passport.passport_socials
		total += e.Passport.Socials[i].FollowerCount // read: passport.passport_socials[].follower_count; hazard: string-number
	}
	return total, nil
}

func Fresh(p *Passport) bool {
	at, err := time.Parse(time.RFC3339, p.LastCalculated) // read: passport.last_calculated_at
	return err == nil && time.Since(at) < time.Hour
}

func skills(id int64) float64 {
	e, _ := load(id) // hazard: catch-default
	return e.Passport.SkillsScore // read: passport.skills_score
}
