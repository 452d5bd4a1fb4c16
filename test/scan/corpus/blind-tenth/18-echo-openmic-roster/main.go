package main

import (
	"encoding/json"
	"os"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/redis/go-redis/v9"

	"github.com/cellarstage/openmic/internal/roster"
	"github.com/cellarstage/openmic/internal/talent"
)

func env(name, fallback string) string {
	if v, ok := os.LookupEnv(name); ok {
		return v
	}
	return fallback
}

func main() {
	cache := redis.NewClient(&redis.Options{Addr: env("REDIS_ADDR", "localhost:6379")})
	svc := talent.New(env("TALENT_URL", "https://api.talentprotocol.com"), os.Getenv("TALENT_API_KEY"), cache)

	nights := map[string][]string{}
	if raw, err := os.ReadFile("nights.json"); err == nil {
		if err := json.Unmarshal(raw, &nights); err != nil {
			panic(err)
		}
	}

	e := echo.New()
	e.Use(middleware.Logger(), middleware.Recover())
	h := &roster.Handler{Talent: svc, Nights: nights}
	h.Register(e.Group("/api"))
	e.Logger.Fatal(e.Start(":" + env("PORT", "1323")))
}
