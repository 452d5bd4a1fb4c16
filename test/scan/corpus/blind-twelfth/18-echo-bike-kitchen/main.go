package main

import (
	"log"

	"github.com/go-resty/resty/v2"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/bikekitchen/volunteers/config"
	"github.com/bikekitchen/volunteers/talent"
	"github.com/bikekitchen/volunteers/web"
)

func main() {
	cfg := config.Load()
	slack := resty.New()

	h := &web.Handler{
		Talent: talent.New(cfg.TalentHost, cfg.TalentKey),
		Notify: func(text string) {
			if _, err := slack.R().SetBody(map[string]string{"text": text}).Post(cfg.SlackHook); err != nil {
				log.Println("slack:", err)
			}
		},
	}

	e := echo.New()
	e.Use(middleware.Logger(), middleware.Recover())
	h.Register(e.Group("/api"))
	e.Logger.Fatal(e.Start(":" + cfg.Port))
}
