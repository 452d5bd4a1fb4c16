package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"

	"example.org/reputation-store/store"
	"github.com/jmoiron/sqlx"
)

func main() {
	db, err := sqlx.Open("pgx", os.Getenv("DB"))
	if err != nil {
		log.Fatal(err)
	}
	s := &store.Store{DB: db}

	http.HandleFunc("/passports", func(w http.ResponseWriter, r *http.Request) {
		passports, _ := s.Top(r.Context(), 25)
		reach := 0
		for _, p := range passports {
			n, _ := strconv.Atoi(p.FollowerCount)
			reach += n
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"passports": passports, "pagination": map[string]int{"total": reach}})
	})
	http.HandleFunc("/points", func(w http.ResponseWriter, r *http.Request) {
		points := s.Points(r.Context(), r.URL.Query().Get("wallet"))
		_ = json.NewEncoder(w).Encode(map[string]float64{"score": points})
	})
	log.Fatal(http.ListenAndServe(":8090", nil))
}
