package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/demoday/desk/web"
)

func env(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

func main() {
	desk := &web.Desk{
		Upstream: env("PASSPORT_UPSTREAM", "https://api.talentprotocol.com"),
		Key:      os.Getenv("PASSPORT_KEY"),
		Client:   &http.Client{Timeout: 9 * time.Second},
		Log:      slog.Default(),
	}
	srv := &http.Server{Addr: env("ADDR", ":8080"), Handler: desk.Routes()}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go func() {
		<-ctx.Done()
		_ = srv.Shutdown(context.Background())
	}()
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		slog.Error("server", "err", err)
		os.Exit(1)
	}
}
