package main

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
)

var badge = template.Must(template.New("badge").Parse(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="20">
<text x="4" y="14">{{.Label}}</text><text x="110" y="14" fill="{{.Color}}">{{.Value}}</text></svg>`))

type badgeView struct {
	Label, Value, Color string
}

type profileView struct {
	Name    string   `json:"name"`
	Bio     string   `json:"bio"`
	Score   int      `json:"score"`
	Wallets int      `json:"wallets"`
	Tags    []string `json:"tags"`
	Reach   int      `json:"reach"`
}

func badgeHandler(t *Talent) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		score := 0
		human := false
		if p, err := t.Passport(r.Context(), r.PathValue("wallet")); err == nil {
			score = p.Score
			human = p.HumanCheckmark
		}
		view := badgeView{Label: "builder score", Value: strconv.Itoa(score), Color: "grey"}
		if human {
			view.Color = "green"
		}
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Cache-Control", "max-age=600")
		badge.Execute(w, view)
	}
}

func profileHandler(t *Talent) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p, err := t.Passport(r.Context(), r.PathValue("wallet"))
		if err != nil {
			http.Error(w, fmt.Sprintf("upstream: %v", err), http.StatusBadGateway)
			return
		}
		reach := 0
		for _, s := range p.Socials {
			n, _ := strconv.Atoi(s.FollowerCount)
			reach += n
		}
		json.NewEncoder(w).Encode(profileView{
			Name:    p.Profile.DisplayName,
			Bio:     p.Profile.Bio,
			Score:   p.Score,
			Wallets: len(p.VerifiedWallets),
			Tags:    p.Profile.Tags,
			Reach:   reach,
		})
	}
}
