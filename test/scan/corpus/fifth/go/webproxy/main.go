package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
)

type upstreamBody struct {
	Passport struct {
		Score           float64 `json:"score"`
		HumanCheckmark  bool    `json:"human_checkmark"`
		PassportProfile struct {
			DisplayName string `json:"display_name"`
		} `json:"passport_profile"`
	} `json:"passport"`
}

type card struct {
	Title string  `json:"title"`
	Score float64 `json:"score"`
	Human bool    `json:"human_checkmark"`
}

func cardHandler(w http.ResponseWriter, r *http.Request) {
	upstream := os.Getenv("UPSTREAM") + "/api/v1/passports/" + r.PathValue("id")
	resp, err := http.Get(upstream) // call: passport
	if err != nil { // hazard: catch-default
		json.NewEncoder(w).Encode(card{})
		return
	}
	defer resp.Body.Close()
	var in upstreamBody
	if err := json.NewDecoder(resp.Body).Decode(&in); err != nil {
		http.Error(w, "bad upstream", http.StatusBadGateway)
		return
	}
	out := card{
		Title: in.Passport.PassportProfile.DisplayName, // read: passport.passport_profile.display_name
		Score: in.Passport.Score, // read: passport.score
		Human: in.Passport.HumanCheckmark, // read: passport.human_checkmark
	}
	log.Println(out.Title, out.Score, out.Human)
	json.NewEncoder(w).Encode(out)
}

func main() {
	http.HandleFunc("GET /cards/{id}", cardHandler)
	http.HandleFunc("GET /api/v1/passports", http.NotFound)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
