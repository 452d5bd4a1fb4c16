package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/moselroute/passes/store"
)

type Notifier interface {
	Completed(p *store.Passport) error
}

func New(st *store.Store, n Notifier) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/passports", func(w http.ResponseWriter, r *http.Request) {
		found := st.Search(r.URL.Query().Get("keyword"))
		reply(w, http.StatusOK, map[string]any{
			"passports":  found,
			"pagination": map[string]int{"current_page": 1, "last_page": 1, "total": len(found)},
		})
	})
	mux.HandleFunc("POST /api/v1/passports", func(w http.ResponseWriter, r *http.Request) {
		var v store.Visitor
		if err := json.NewDecoder(r.Body).Decode(&v); err != nil || v.DisplayName == "" {
			http.Error(w, "display_name is missing", http.StatusUnprocessableEntity)
			return
		}
		reply(w, http.StatusCreated, map[string]any{"passport": st.Issue(v)})
	})
	mux.HandleFunc("GET /api/v1/passports/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		p, err := st.Get(id)
		if errors.Is(err, store.ErrUnknown) {
			http.NotFound(w, r)
			return
		}
		reply(w, http.StatusOK, map[string]any{"passport": p})
	})
	mux.HandleFunc("POST /api/v1/passports/{id}/stamps", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		var s store.Stamp
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p, err := st.Stamp(id, s)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if !p.CompletedAt.IsZero() {
			if err := n.Completed(p); err != nil {
				w.Header().Set("X-Notice", "voucher delayed")
			}
		}
		reply(w, http.StatusOK, map[string]any{"passport": p})
	})
	return mux
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}
