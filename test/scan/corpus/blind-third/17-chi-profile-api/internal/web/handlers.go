package web

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/acme/profile-api/internal/talent"
)

type Handler struct {
	Talent *talent.Client
}

func (h *Handler) Routes() http.Handler {
	r := chi.NewRouter()
	r.Get("/profiles/{wallet}", h.profile)
	r.Get("/scores", h.scores)
	return r
}

func (h *Handler) profile(w http.ResponseWriter, r *http.Request) {
	passport, err := h.Talent.Passport(r.Context(), chi.URLParam(r, "wallet"))
	if errors.Is(err, talent.ErrNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		slog.Error("passport", "err", err)
		http.Error(w, "upstream failed", http.StatusBadGateway)
		return
	}
	creds, err := h.Talent.Credentials(r.Context(), passport.ID)
	if err != nil {
		slog.Warn("credentials", "passport", passport.ID, "err", err)
		creds = nil
	}
	writeJSON(w, newProfileView(passport, creds))
}

// scores answers a map of wallet -> score for ?wallets=a,b,c
func (h *Handler) scores(w http.ResponseWriter, r *http.Request) {
	out := map[string]float64{}
	for _, wallet := range strings.Split(r.URL.Query().Get("wallets"), ",") {
		passport, err := h.Talent.Passport(r.Context(), wallet)
		if err != nil {
			out[wallet] = 0
			continue
		}
		out[wallet] = passport.Score
	}
	writeJSON(w, out)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
