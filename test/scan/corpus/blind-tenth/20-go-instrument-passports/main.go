package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"sort"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/philharmonie/instrument-passports/passport"
	"github.com/philharmonie/instrument-passports/registry"
)

type app struct {
	passports map[string]passport.Passport
	registry  registry.Client
}

func main() {
	raw, err := os.ReadFile("passports.json")
	if err != nil {
		log.Fatal(err)
	}
	var list []passport.Passport
	if err := json.Unmarshal(raw, &list); err != nil {
		log.Fatal(err)
	}
	a := &app{
		passports: map[string]passport.Passport{},
		registry:  registry.Client{BaseURL: os.Getenv("REGISTRY_URL"), Key: os.Getenv("REGISTRY_KEY")},
	}
	for _, p := range list {
		a.passports[p.ID] = p
	}
	r := chi.NewRouter()
	r.Route("/api/v1", func(r chi.Router) {
		r.Get("/passports", a.list)
		r.Get("/passports/{id}", a.show)
		r.Get("/tour-check", a.check)
	})
	log.Fatal(http.ListenAndServe(":8090", r))
}

func (a *app) list(w http.ResponseWriter, r *http.Request) {
	out := make([]passport.Passport, 0, len(a.passports))
	for _, p := range a.passports {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Profile.Desk < out[j].Profile.Desk })
	reply(w, map[string]any{"passports": out, "pagination": map[string]int{"total": len(out)}})
}

func (a *app) show(w http.ResponseWriter, r *http.Request) {
	p, ok := a.passports[chi.URLParam(r, "id")]
	if !ok {
		http.Error(w, passport.ErrNotFound.Error(), http.StatusNotFound)
		return
	}
	reply(w, map[string]any{"passport": p})
}

func (a *app) check(w http.ResponseWriter, r *http.Request) {
	departure, err := time.Parse(time.DateOnly, r.URL.Query().Get("departure"))
	if err != nil {
		http.Error(w, "departure: YYYY-MM-DD", http.StatusBadRequest)
		return
	}
	problems := map[string][]string{}
	for id, p := range a.passports {
		found := p.Problems(departure)
		if p.NeedsPermit() {
			permit, err := a.registry.Permit(r.Context(), p)
			switch {
			case err != nil:
				found = append(found, "registry unavailable")
			case permit == nil:
				found = append(found, "no permit on record")
			case permit.Status != "valid":
				found = append(found, "permit "+permit.Status)
			}
		}
		if len(found) > 0 {
			problems[id] = found
		}
	}
	reply(w, problems)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
