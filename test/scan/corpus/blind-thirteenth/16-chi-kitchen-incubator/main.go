package main

import (
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/saltmarket/incubator/internal/talent"
	"github.com/saltmarket/incubator/internal/web"
)

type config struct {
	Addr        string        `env:"ADDR" envDefault:":8080"`
	TalentURL   string        `env:"TALENT_URL" envDefault:"https://api.talentprotocol.com"`
	TalentKey   string        `env:"TALENT_API_KEY"`
	PermitsURL  string        `env:"PERMITS_URL,required"`
	HTTPTimeout time.Duration `env:"HTTP_TIMEOUT" envDefault:"6s"`
}

func main() {
	cfg, err := env.ParseAs[config]()
	if err != nil {
		slog.Error("config", "err", err)
		os.Exit(2)
	}
	hc := &http.Client{Timeout: cfg.HTTPTimeout}
	h := &web.Handlers{
		Talent:  talent.New(hc, cfg.TalentURL, cfg.TalentKey),
		Permits: &web.PermitClient{HTTP: hc, URL: cfg.PermitsURL},
	}

	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Logger, middleware.Recoverer)
	r.Get("/", h.Search)
	r.Get("/cooks/{id}", h.Cook)
	r.Get("/api/cooks/{id}/slots", h.Slots)

	slog.Info("listening", "addr", cfg.Addr)
	if err := http.ListenAndServe(cfg.Addr, r); err != nil {
		slog.Error("serve", "err", err)
	}
}
