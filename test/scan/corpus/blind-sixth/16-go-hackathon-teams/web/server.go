package web

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hackweek/teams/internal/passport"
)

//go:embed pages/*.gohtml
var pages embed.FS

type Team struct {
	Name    string
	Members []passport.Passport
}

type Server struct {
	api   *passport.API
	tmpl  *template.Template
	mu    sync.RWMutex
	teams map[string]*Team
}

func New(api *passport.API) *Server {
	funcs := template.FuncMap{
		"ago": func(t *time.Time) string {
			if t == nil {
				return "never"
			}
			return time.Since(*t).Round(time.Hour).String()
		},
		"deref": func(s *string) string {
			if s == nil {
				return ""
			}
			return *s
		},
	}
	return &Server{
		api:   api,
		tmpl:  template.Must(template.New("").Funcs(funcs).ParseFS(pages, "pages/*.gohtml")),
		teams: map[string]*Team{},
	}
}

func (s *Server) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /people", s.people)
	mux.HandleFunc("GET /people/{id}", s.person)
	mux.HandleFunc("POST /teams/{team}/members/{id}", s.join)
	mux.HandleFunc("GET /teams.json", s.teamsJSON)
	return mux
}

func (s *Server) people(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.FormValue("page"))
	found, last, err := s.api.Search(r.Context(), r.FormValue("q"), max(page, 1))
	if err != nil {
		http.Error(w, "the directory is closed for the moment", http.StatusBadGateway)
		return
	}
	humans := slices.DeleteFunc(found, func(p passport.Passport) bool { return !p.Human })
	_ = s.tmpl.ExecuteTemplate(w, "people.gohtml", map[string]any{"People": humans, "Last": last})
}

func (s *Server) person(w http.ResponseWriter, r *http.Request) {
	p, err := s.api.Get(r.Context(), r.PathValue("id"))
	if errors.Is(err, passport.ErrNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	data := struct {
		*passport.Passport
		Credentials []passport.Credential
	}{p, s.api.Credentials(r.Context(), p.ID)}
	_ = s.tmpl.ExecuteTemplate(w, "person.gohtml", data)
}

func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	p, err := s.api.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		http.Error(w, "who are you?", http.StatusForbidden)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.PathValue("team")
	team := s.teams[name]
	if team == nil {
		team = &Team{Name: name}
		s.teams[name] = team
	}
	for _, m := range team.Members {
		if m.ID == p.ID {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	team.Members = append(team.Members, *p)
	w.WriteHeader(http.StatusCreated)
}

func (s *Server) teamsJSON(w http.ResponseWriter, _ *http.Request) {
	type view struct {
		Name   string   `json:"name"`
		Score  float64  `json:"score"`
		Skills float64  `json:"skills_score"`
		People []string `json:"people"`
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]view, 0, len(s.teams))
	for _, t := range s.teams {
		v := view{Name: t.Name}
		for _, m := range t.Members {
			v.Score += m.Score
			v.Skills += m.Skills
			v.People = append(v.People, m.Name())
		}
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b view) int { return int(b.Score - a.Score) })
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}
