package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/faucet/passport"
)

type claim struct {
	Wallet string  `json:"wallet"`
	Score  float64 `json:"score"`
	Name   string  `json:"name"`
}

type server struct {
	passports *passport.Client
	claims    []claim
}

func (s *server) handleClaim(w http.ResponseWriter, r *http.Request) {
	var c claim
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p, err := s.passports.GetPassport(r.Context(), c.Wallet)
	if err != nil {
		http.Error(w, "passport service unavailable", http.StatusBadGateway)
		return
	}
	if !p.HumanCheckmark || p.CalculatingScore { // read: passport.human_checkmark, passport.calculating_score
		http.Error(w, "not eligible", http.StatusForbidden)
		return
	}
	if time.Since(p.LastCalculatedAt) > 60*24*time.Hour { // read: passport.last_calculated_at
		log.Printf("old score for %s", p.Profile.DisplayName) // read: passport.passport_profile.display_name
	}
	creds, err := s.passports.GetCredentials(r.Context(), p.PassportID) // read: passport.passport_id
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	amount := p.Score / 10 // read: passport.score
	for _, cr := range creds {
		if cr.Type == "active_wallet" { // read: passport_credentials[].type
			amount += cr.Score // read: passport_credentials[].score
		}
	}
	c.Score, c.Name = amount, p.Profile.DisplayName // read: passport.passport_profile.display_name
	s.claims = append(s.claims, c)
	log.Printf("claim %s %s %.2f", c.Wallet, c.Name, c.Score)
	_ = json.NewEncoder(w).Encode(c)
}

func main() {
	s := &server{passports: &passport.Client{BaseURL: os.Getenv("PASSPORT_URL"), HTTP: http.DefaultClient}}
	http.HandleFunc("/claims", s.handleClaim)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
