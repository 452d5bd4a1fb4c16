package main

import (
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/hackweek/teams/internal/passport"
	"github.com/hackweek/teams/web"
)

func env(key, fallback string) string {
	if v, ok := os.LookupEnv(key); ok {
		return v
	}
	return fallback
}

func main() {
	api := &passport.API{
		Root: env("PASSPORT_ROOT", "https://api.talentprotocol.com"),
		Key:  os.Getenv("PASSPORT_KEY"),
		HTTP: &http.Client{Timeout: 8 * time.Second},
	}
	srv := &http.Server{
		Addr:              env("LISTEN", ":8080"),
		Handler:           web.New(api).Routes(),
		ReadHeaderTimeout: 5 * time.Second,
	}
	slog.Info("listening", "addr", srv.Addr)
	if err := srv.ListenAndServe(); err != nil {
		slog.Error("stopped", "err", err)
		os.Exit(1)
	}
}
