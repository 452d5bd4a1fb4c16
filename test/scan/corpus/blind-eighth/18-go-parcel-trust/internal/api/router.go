package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"parcelpool.dev/trust/internal/trust"
)

type Judge interface {
	Judge(ctx context.Context, wallet string) trust.Verdict
}

func Router(j Judge) http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Get("/carriers/{wallet}/verdict", func(w http.ResponseWriter, r *http.Request) {
		v := j.Judge(r.Context(), chi.URLParam(r, "wallet"))
		w.Header().Set("Content-Type", "application/json")
		if v.Tier == trust.TierNone && v.Score == 0 {
			w.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(w).Encode(v)
	})
	r.Get("/health", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("ok")) })
	return r
}
