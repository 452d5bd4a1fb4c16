package web

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/northbridge-alumni/portal/internal/talent"
)

//go:embed views/*.html
var files embed.FS

var views = template.Must(template.New("").Funcs(template.FuncMap{
	"join": strings.Join,
	"day":  func(t *time.Time) string { return t.Format("2 Jan 2006") },
}).ParseFS(files, "views/*.html"))

type portal struct {
	api *talent.API
}

func Routes(api *talent.API) http.Handler {
	p := &portal{api: api}
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer, middleware.Timeout(12*time.Second))
	r.Get("/", p.directory)
	r.Route("/alumni/{id}", func(r chi.Router) {
		r.Get("/", p.alumnus)
		r.Get("/badge.json", p.badge)
	})
	return r
}

func (p *portal) directory(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	if page < 1 {
		page = 1
	}
	people, pages, err := p.api.Search(r.Context(), r.URL.Query().Get("q"), page)
	if err != nil {
		p.fail(w, err)
		return
	}
	next := 0
	if pages.Current < pages.Last {
		next = pages.Current + 1
	}
	p.render(w, "directory.html", map[string]any{"People": people, "Pages": pages, "Next": next})
}

func (p *portal) alumnus(w http.ResponseWriter, r *http.Request) {
	passport, err := p.api.Passport(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		p.fail(w, err)
		return
	}
	creds, err := p.api.Credentials(r.Context(), passport.ID)
	if err != nil {
		slog.Warn("credentials left out", "passport", passport.ID, "err", err)
		creds = nil
	}
	photo := "/static/nobody.png"
	for _, s := range passport.Socials {
		if s.Image != "" {
			photo = s.Image
			break
		}
	}
	p.render(w, "alumnus.html", map[string]any{"P": passport, "Photo": photo, "Groups": byCategory(creds)})
}

type badge struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	Human bool    `json:"human_checkmark"`
	Level string  `json:"level"`
}

// badge is embedded by the association's web site; it must always answer.
func (p *portal) badge(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	b := badge{Level: "guest"}
	if passport, err := p.api.Passport(r.Context(), chi.URLParam(r, "id")); err == nil {
		b.Name = passport.Profile.DisplayName
		b.Score = passport.Score
		b.Human = passport.Human
		b.Level = level(passport)
	}
	_ = json.NewEncoder(w).Encode(b)
}

func level(p *talent.Passport) string {
	switch {
	case p.MergedAccount:
		return "merged"
	case p.Score >= 100 && p.Connections > 20:
		return "fellow"
	case p.Score >= 40:
		return "member"
	}
	return "guest"
}

func byCategory(creds []talent.Credential) map[string][]talent.Credential {
	groups := map[string][]talent.Credential{}
	for _, c := range creds {
		if c.EarnedAt == "" {
			continue
		}
		groups[c.Category] = append(groups[c.Category], c)
	}
	return groups
}

func (p *portal) fail(w http.ResponseWriter, err error) {
	status := http.StatusBadGateway
	if errors.Is(err, talent.ErrNotFound) {
		status = http.StatusNotFound
	}
	http.Error(w, http.StatusText(status), status)
}

func (p *portal) render(w http.ResponseWriter, name string, data any) {
	if err := views.ExecuteTemplate(w, name, data); err != nil {
		slog.Error("render", "view", name, "err", err)
	}
}
