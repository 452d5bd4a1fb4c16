package web

import (
	"encoding/json"
	"net/http"
	"sort"

	"github.com/go-chi/chi/v5"
	"github.com/onchain-guild/scoreboard/internal/talent"
)

type builderView struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	Human bool    `json:"human"`
}

func toView(p talent.Passport) builderView {
	v := builderView{Score: p.Score, Human: p.Human}
	if p.Profile != nil {
		v.Name = p.Profile.DisplayName
	}
	return v
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func Builder(w http.ResponseWriter, r *http.Request) {
	passport, err := talent.Get(chi.URLParam(r, "id"))
	if err != nil {
		http.Error(w, "talent api unavailable", http.StatusBadGateway)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"builder":  toView(*passport),
		"activity": passport.ActivityScore,
		"wallets":  len(passport.Wallets),
	})
}

func Leaderboard(w http.ResponseWriter, r *http.Request) {
	passports, total := talent.Search(r.URL.Query().Get("q"))
	sort.Slice(passports, func(i, j int) bool { return passports[i].Score > passports[j].Score })
	views := make([]builderView, 0, len(passports))
	for _, p := range passports {
		views = append(views, toView(p))
	}
	writeJSON(w, http.StatusOK, map[string]any{"total": total, "builders": views})
}
