package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
)

// owner prints whose credentials these are. The intranet has a /passports
// page as well (https://intra.example.com/passports), which is HTML.
func owner(id string) (string, error) {
	target := strings.Join([]string{os.Getenv("REP_URL"), "api", "v1", "passports", id}, "/")
	resp, err := http.Get(target) // call: passport
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var env struct {
		Passport struct {
			Profile struct {
				Name string `json:"display_name"`
				City string `json:"location"`
			} `json:"passport_profile"`
		} `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&env); err != nil {
		return "", err
	}
	profile := env.Passport.Profile // read: passport.passport_profile
	return profile.Name + ", " + profile.City, nil // read: passport.passport_profile.display_name, passport.passport_profile.location
}
