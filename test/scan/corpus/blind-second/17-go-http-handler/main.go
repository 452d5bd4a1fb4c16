package main

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"log"
	"net/http"
	"strconv"
)

//go:embed templates/*.html
var files embed.FS

var page = template.Must(template.ParseFS(files, "templates/*.html"))

type server struct {
	talent *talentAPI
}

type scoreView struct {
	Wallet    string `json:"wallet"`
	Score     int    `json:"score"`
	Human     bool   `json:"human"`
	Followers int    `json:"followers"`
}

func (s *server) profile(w http.ResponseWriter, r *http.Request) {
	p, err := s.talent.passport(r.Context(), r.PathValue("wallet"))
	if err != nil {
		s.fail(w, err)
		return
	}
	if err := page.ExecuteTemplate(w, "profile.html", p); err != nil {
		log.Print(err)
	}
}

func (s *server) score(w http.ResponseWriter, r *http.Request) {
	wallet := r.PathValue("wallet")
	p, err := s.talent.passport(r.Context(), wallet)
	if err != nil {
		s.fail(w, err)
		return
	}
	view := scoreView{Wallet: wallet, Score: p.Score, Human: p.HumanCheckmark, Followers: followers(p.Socials)}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(view)
}

func followers(socials []Social) int {
	sum := 0
	for _, s := range socials {
		if n, err := strconv.Atoi(s.FollowerCount); err == nil {
			sum += n
		}
	}
	return sum
}

func (s *server) fail(w http.ResponseWriter, err error) {
	if errors.Is(err, errNotFound) {
		http.Error(w, "no passport", http.StatusNotFound)
		return
	}
	log.Print(err)
	http.Error(w, "passport service not available", http.StatusBadGateway)
}

func main() {
	s := &server{talent: newTalentAPI()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /u/{wallet}", s.profile)
	mux.HandleFunc("GET /api/score/{wallet}", s.score)
	log.Fatal(http.ListenAndServe(":8080", mux))
}
