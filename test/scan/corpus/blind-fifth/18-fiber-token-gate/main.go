package main

import (
	"log"
	"os"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/limiter"
)

func main() {
	app := fiber.New(fiber.Config{AppName: "builders gate"})
	app.Use(limiter.New(limiter.Config{Max: 30, Expiration: time.Minute}))

	app.Post("/login", login)
	app.Get("/tiers/:wallet", showTier)

	members := app.Group("/members", requireScore(50))
	members.Get("/docs", func(c *fiber.Ctx) error { return c.SendFile("./private/docs.html") })
	members.Get("/me", me)

	log.Fatal(app.Listen(":" + os.Getenv("PORT")))
}
