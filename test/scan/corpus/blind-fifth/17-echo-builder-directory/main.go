package main

import (
	"os"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/onchain-guild/directory/handlers"
	"github.com/onchain-guild/directory/passports"
)

func main() {
	svc := passports.NewService(os.Getenv("PASSPORT_URL"), os.Getenv("PASSPORT_KEY"), 10*time.Minute)
	h := handlers.Handler{Passports: svc}

	e := echo.New()
	e.Use(middleware.Logger(), middleware.Recover())
	e.GET("/builders", h.List)
	e.GET("/builders/:wallet", h.Show)
	e.GET("/builders/:wallet/score", h.Score)
	e.GET("/builders/:wallet/credentials", h.Credentials)
	e.Logger.Fatal(e.Start(":8080"))
}
