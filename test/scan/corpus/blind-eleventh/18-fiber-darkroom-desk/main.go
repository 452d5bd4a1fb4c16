package main

import (
	"log"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/logger"
	gocache "github.com/patrickmn/go-cache"

	"github.com/silverhalide/darkroom-desk/desk"
	"github.com/silverhalide/darkroom-desk/upstream"
)

type config struct {
	Listen    string        `env:"LISTEN" envDefault:":3900"`
	TalentURL string        `env:"TALENT_URL" envDefault:"https://api.talentprotocol.com"`
	TalentKey string        `env:"TALENT_KEY"`
	CacheFor  time.Duration `env:"CACHE_FOR" envDefault:"20m"`
}

func main() {
	var cfg config
	if err := env.Parse(&cfg); err != nil {
		log.Fatal(err)
	}

	h := &desk.Handlers{
		API:   upstream.API{BaseURL: cfg.TalentURL, Key: cfg.TalentKey},
		Cache: gocache.New(cfg.CacheFor, 2*cfg.CacheFor),
	}

	app := fiber.New(fiber.Config{AppName: "darkroom desk"})
	app.Use(logger.New())
	app.Get("/members/:wallet", h.Member)
	app.Get("/members/:wallet/slots", h.Slots)
	app.Get("/top", h.Top)
	log.Fatal(app.Listen(cfg.Listen))
}
