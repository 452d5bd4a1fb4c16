package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/ridgewalk/stampbook/parks"
)

type app struct {
	store *store
	parks *parks.Client
}

func main() {
	a := &app{
		store: newStore(),
		parks: parks.New(os.Getenv("PARKS_URL"), os.Getenv("PARKS_TOKEN")),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/passports", a.list)
	mux.HandleFunc("GET /api/v1/passports/{id}", a.show)
	mux.HandleFunc("POST /api/v1/passports/{id}/stamps", a.stamp)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	log.Fatal(http.ListenAndServe(":8090", mux))
}

func (a *app) list(w http.ResponseWriter, r *http.Request) {
	reply(w, map[string]any{"passports": a.store.byScore()})
}

func (a *app) show(w http.ResponseWriter, r *http.Request) {
	p, ok := a.store.get(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	reply(w, map[string]any{"passport": p})
}

func (a *app) stamp(w http.ResponseWriter, r *http.Request) {
	p, ok := a.store.get(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	ranger, err := a.parks.Ranger(r.Context(), r.Header.Get("X-Ranger-Badge"))
	if err != nil {
		http.Error(w, "unknown ranger", http.StatusForbidden)
		return
	}
	for _, c := range ranger.Credentials {
		if c.Type == "stamp_station" && c.Value == r.FormValue("trail") {
			p.Stamps = append(p.Stamps, Stamp{Trail: c.Value, Name: c.Name, EarnedAt: time.Now()})
			p.Score += c.Score
			a.store.put(p)
			reply(w, p)
			return
		}
	}
	http.Error(w, "not your station", http.StatusForbidden)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
