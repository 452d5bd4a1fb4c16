package worker

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
)

type Social struct {
	Network   string `json:"source"`
	Followers string `json:"follower_count"`
}

type Answer struct {
	Passport struct {
		Socials []Social `json:"passport_socials"`
	} `json:"passport"`
}

func load(url string) (*Answer, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, fmt.Errorf("get: %w", err)
	}
	defer resp.Body.Close()
	answer := &Answer{}
	return answer, json.NewDecoder(resp.Body).Decode(answer)
}

func Worker(ids <-chan string, out chan<- Social) {
	for id := range ids {
		answer, err := load(fmt.Sprintf("https://api.example.com/api/v1/passports/%s", id)) // call: passport
		if err != nil { // hazard: catch-default
			slog.Error("load", "err", err)
			continue
		}
		for _, social := range answer.Passport.Socials { // read: passport.passport_socials
			if social.Network == "lens" { // read: passport.passport_socials[].source
				out <- social
			}
			fmt.Println(social.Followers) // read: passport.passport_socials[].follower_count
		}
	}
}
