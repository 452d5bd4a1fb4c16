package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

type ctxKey struct{}

type holder struct {
	Human  bool   `json:"human_checkmark"`
	ID     int64  `json:"passport_id"` // hazard: integer-id
	Socials []struct {
		Name  string `json:"profile_name"`
		Count string `json:"follower_count"`
	} `json:"passport_socials"`
}

type loader struct {
	get func(url string) (*http.Response, error)
	url func(id string) string
}

func newLoader(base string) loader {
	return loader{
		get: http.Get,
		url: func(id string) string { return base + "/api/v1/passports/" + id },
	}
}

func (l loader) load(id string) (h holder, err error) {
	resp, err := l.get(l.url(id)) // call: passport
	if err != nil {
		return h, err
	}
	defer resp.Body.Close()
	body := struct {
		Passport *holder `json:"passport"`
	}{Passport: &h}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return h, err
	}
	return *body.Passport, nil
}

func withHolder(l loader, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, err := l.load(r.Header.Get("X-Wallet"))
		if err != nil {
			http.Error(w, "no passport", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), ctxKey{}, h)))
	})
}

func profile(w http.ResponseWriter, r *http.Request) {
	h, ok := r.Context().Value(ctxKey{}).(holder)
	if !ok || !h.Human { // read: passport.human_checkmark
		w.WriteHeader(http.StatusForbidden)
		return
	}
	total := 0
	for _, s := range h.Socials { // read: passport.passport_socials
		n, err := strconv.Atoi(s.Count) // read: passport.passport_socials[].follower_count; hazard: string-number
		if err == nil {
			total += n
		}
	}
	json.NewEncoder(w).Encode(map[string]any{"id": h.ID, "fans": total}) // read: passport.passport_id
}

func main() {
	l := newLoader("https://rep.example.org")
	srv := &http.Server{Addr: ":8080", Handler: withHolder(l, http.HandlerFunc(profile)), ReadTimeout: time.Second}
	srv.ListenAndServe()
}
