package handler

import (
	"encoding/json"
	"net/http"
	"os"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	base := os.Getenv("UPSTREAM")
	resp, err := http.Get(base + "/api/v1/passports/" + r.URL.Query().Get("wallet")) // call: passport
	if err != nil {
		http.Error(w, "upstream", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var body struct {
		Passport struct {
			Profile struct {
				Bio      string `json:"bio"`
				Location string `json:"location"`
			} `json:"passport_profile"`
		} `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		http.Error(w, "bad answer", http.StatusBadGateway)
		return
	}
	profile := body.Passport.Profile // read: passport.passport_profile
	json.NewEncoder(w).Encode(map[string]string{"bio": profile.Bio, "where": profile.Location}) // read: passport.passport_profile.bio, passport.passport_profile.location
}
