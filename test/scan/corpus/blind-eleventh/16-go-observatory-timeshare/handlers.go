package main

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"strings"
)

//go:embed observer.gohtml
var pages embed.FS

var observerTmpl = template.Must(template.New("observer.gohtml").Funcs(template.FuncMap{
	"join": strings.Join,
}).ParseFS(pages, "observer.gohtml"))

type server struct {
	log     *slog.Logger
	talent  *talent
	weather *weather
}

type quotaView struct {
	Hours float64 `json:"hours"`
	Score float64 `json:"score"`
	Why   string  `json:"why,omitempty"`
}

func hours(o *observer, creds []credential) quotaView {
	v := quotaView{Hours: 1, Score: o.Score}
	if o.Calculating {
		v.Why = "score is being calculated"
		return v
	}
	if o.Human {
		v.Hours += 0.5
	}
	for _, c := range creds {
		if strings.HasPrefix(c.Type, "github") && c.MaxScore > 0 {
			v.Hours += c.Score / c.MaxScore
		}
	}
	v.Hours += min(o.Skills/50, 2)
	return v
}

func (s *server) quota(w http.ResponseWriter, r *http.Request) {
	o, err := s.talent.observer(r.Context(), r.PathValue("wallet"))
	if err != nil {
		s.log.Warn("quota", "err", err)
		writeJSON(w, quotaView{Hours: 0, Why: "no data"})
		return
	}
	creds, _ := s.talent.credentials(r.Context(), o.ID)
	writeJSON(w, hours(o, creds))
}

func (s *server) observerPage(w http.ResponseWriter, r *http.Request) {
	o, err := s.talent.observer(r.Context(), r.PathValue("wallet"))
	if errors.Is(err, errNoObserver) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, "upstream unavailable", http.StatusBadGateway)
		return
	}
	if err := observerTmpl.Execute(w, o); err != nil {
		s.log.Error("render", "err", err)
	}
}

func (s *server) directory(w http.ResponseWriter, r *http.Request) {
	found, total, err := s.talent.byName(r.Context(), r.URL.Query().Get("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	found = slices.DeleteFunc(found, func(o observer) bool {
		return !slices.Contains(o.Profile.Tags, "astronomy")
	})
	names := make([]string, 0, len(found))
	for _, o := range found {
		names = append(names, o.Profile.Name)
	}
	writeJSON(w, map[string]any{"observers": names, "searched": total})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
