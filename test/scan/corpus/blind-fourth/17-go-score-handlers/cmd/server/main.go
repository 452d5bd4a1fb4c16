package main

import (
	"log"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/onchain-guild/scoreboard/internal/web"
)

func main() {
	r := chi.NewRouter()
	r.Get("/builders/{id}", web.Builder)
	r.Get("/leaderboard", web.Leaderboard)
	log.Fatal(http.ListenAndServe(":8080", r))
}
