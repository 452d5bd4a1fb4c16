package main

import (
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/northbridge-alumni/portal/internal/talent"
	"github.com/northbridge-alumni/portal/internal/web"
)

func env(key, fallback string) string {
	if v := os.Getenv(key); v != "" {
		return v
	}
	return fallback
}

func main() {
	api := &talent.API{
		Host: env("TALENT_HOST", "https://api.talentprotocol.com"),
		Key:  os.Getenv("TALENT_API_KEY"),
		HTTP: &http.Client{Timeout: 6 * time.Second},
	}
	srv := &http.Server{
		Addr:         ":" + env("PORT", "8080"),
		Handler:      web.Routes(api),
		ReadTimeout:  5 * time.Second,
		WriteTimeout: 15 * time.Second,
	}
	slog.Info("listening", "addr", srv.Addr)
	if err := srv.ListenAndServe(); err != nil {
		slog.Error("server stopped", "err", err)
		os.Exit(1)
	}
}
