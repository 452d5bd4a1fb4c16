package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/rahmennummer/bikepass/registry"
	"github.com/rahmennummer/bikepass/store"
)

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func requireKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-KEY") != os.Getenv("WORKSHOP_KEY") {
			writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "unauthorized"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func main() {
	st, err := store.Open(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	r := chi.NewRouter()
	r.Use(middleware.Logger, requireKey)
	r.Route("/api/v1/passports", func(r chi.Router) {
		r.Get("/{id}", func(w http.ResponseWriter, req *http.Request) {
			p, err := st.Passport(req.Context(), chi.URLParam(req, "id"))
			if err != nil || p == nil {
				writeJSON(w, http.StatusNotFound, map[string]string{"error": "no such frame"})
				return
			}
			stolen, err := registry.Stolen(req.Context(), p.FrameNumber)
			if err != nil {
				log.Println("bikeindex:", err)
			}
			writeJSON(w, http.StatusOK, map[string]any{"passport": p, "stolen": stolen, "roadworthy": p.Score >= 60 && !p.Merged})
		})
		r.Get("/{id}/credentials", func(w http.ResponseWriter, req *http.Request) {
			p, err := st.Passport(req.Context(), chi.URLParam(req, "id"))
			if err != nil || p == nil {
				writeJSON(w, http.StatusNotFound, map[string]string{"error": "no such frame"})
				return
			}
			creds, err := st.Credentials(req.Context(), p.PassportID)
			if err != nil {
				writeJSON(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
				return
			}
			writeJSON(w, http.StatusOK, map[string]any{"credentials": creds})
		})
	})
	log.Fatal(http.ListenAndServe(":8080", r))
}
