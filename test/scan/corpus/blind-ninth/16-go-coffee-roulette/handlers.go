package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"sort"
	"strconv"
)

//go:embed templates/*.html
var files embed.FS

var pages = template.Must(template.New("").ParseFS(files, "templates/*.html"))

type server struct {
	rep   *reputation
	slack string
	log   *slog.Logger
}

type card struct {
	Name   string  `json:"name"`
	Score  float64 `json:"score"`
	Reach  int     `json:"reach"`
	Topics string  `json:"topics,omitempty"`
}

func (s *server) people(w http.ResponseWriter, r *http.Request) {
	found, total, err := s.rep.search(r.Context(), r.FormValue("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	sort.Slice(found, func(i, j int) bool {
		return found[i].Score > found[j].Score
	})
	s.render(w, "people.html", map[string]any{"People": found, "Total": total})
}

func (s *server) person(w http.ResponseWriter, r *http.Request) {
	p, err := s.rep.person(r.Context(), r.PathValue("wallet"))
	if err != nil {
		s.log.Warn("person", "err", err)
		http.Error(w, "try again later", http.StatusBadGateway)
		return
	}
	s.render(w, "person.html", struct {
		*Passport
		Credentials []Credential
	}{p, s.rep.credentials(r.Context(), p.ID)})
}

func (s *server) card(w http.ResponseWriter, r *http.Request) {
	p, err := s.rep.person(r.Context(), r.PathValue("wallet"))
	if err != nil {
		p = &Passport{}
	}
	c := card{Name: p.Profile.DisplayName, Score: p.Score, Reach: reach(p.Socials)}
	if tags := p.Profile.Tags; len(tags) > 0 {
		c.Topics = tags[0]
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(c)
}

func (s *server) pair(w http.ResponseWriter, r *http.Request) {
	a, err := s.rep.person(r.Context(), r.FormValue("a"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	b, err := s.rep.person(r.Context(), r.FormValue("b"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if !a.Human || !b.Human {
		http.Error(w, "both sides must be verified", http.StatusForbidden)
		return
	}
	text := fmt.Sprintf("☕ %s meets %s", a.Profile.DisplayName, b.Profile.DisplayName)
	msg, _ := json.Marshal(map[string]string{"text": text})
	res, err := http.Post(s.slack, "application/json", bytes.NewReader(msg))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	res.Body.Close()
	w.WriteHeader(http.StatusNoContent)
}

func reach(socials []Social) (n int) {
	for _, so := range socials {
		count, _ := strconv.Atoi(so.Followers)
		n += count
	}
	return n
}

func (s *server) render(w http.ResponseWriter, name string, data any) {
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		s.log.Error("render", "page", name, "err", err)
	}
}
