package main

import (
	"log/slog"
	"net/http"
	"os"
	"time"
)

func env(key, fallback string) string {
	if v, ok := os.LookupEnv(key); ok {
		return v
	}
	return fallback
}

func main() {
	srv := &server{
		rep: &reputation{
			host: env("REPUTATION_HOST", "https://api.talentprotocol.com"),
			key:  os.Getenv("REPUTATION_KEY"),
			http: &http.Client{Timeout: 8 * time.Second},
		},
		slack: env("SLACK_WEBHOOK", ""),
		log:   slog.New(slog.NewJSONHandler(os.Stdout, nil)),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /people", srv.people)
	mux.HandleFunc("GET /people/{wallet}", srv.person)
	mux.HandleFunc("GET /people/{wallet}/card.json", srv.card)
	mux.HandleFunc("POST /pairs", srv.pair)
	if err := http.ListenAndServe(env("ADDR", ":8080"), mux); err != nil {
		srv.log.Error("stopped", "err", err)
		os.Exit(1)
	}
}
