package web

import (
	"embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/saltmarket/incubator/internal/talent"
)

//go:embed templates/*.gohtml
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join}).ParseFS(files, "templates/*.gohtml"))

type Handlers struct {
	Talent  *talent.Client
	Permits *PermitClient
}

type slots struct {
	CookID int     `json:"cook_id"`
	Score  float64 `json:"score"`
	Hours  int     `json:"hours"`
}

func (h *Handlers) Search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query().Get("q")
	data := struct {
		Query string
		Total int
		Cooks []talent.Cook
	}{Query: q}
	if q != "" {
		cooks, total, err := h.Talent.Search(r.Context(), q)
		if err != nil {
			slog.Warn("search", "q", q, "err", err)
			http.Error(w, "directory unavailable", http.StatusBadGateway)
			return
		}
		data.Cooks, data.Total = cooks, total
	}
	render(w, "search.gohtml", data)
}

func (h *Handlers) Cook(w http.ResponseWriter, r *http.Request) {
	cook, err := h.Talent.Cook(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if cook.ID == 0 {
		http.NotFound(w, r)
		return
	}
	permit, err := h.Permits.For(r.Context(), cook.Profile.DisplayName)
	if err != nil {
		slog.Warn("permits", "err", err)
	}
	render(w, "cook.gohtml", map[string]any{
		"Cook":        cook,
		"Permit":      permit,
		"Credentials": h.Talent.Credentials(r.Context(), cook.ID),
	})
}

func (h *Handlers) Slots(w http.ResponseWriter, r *http.Request) {
	cook, err := h.Talent.Cook(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		slog.Error("slots", "err", err)
	}
	out := slots{CookID: cook.ID, Score: cook.Score, Hours: 4}
	if cook.Human && cook.Activity > 20 {
		out.Hours += int(out.Score) / 10
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

func render(w http.ResponseWriter, name string, data any) {
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		slog.Error("render", "page", name, "err", err)
	}
}
