package main

import (
	"os"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

func main() {
	e := echo.New()
	e.Use(middleware.Logger(), middleware.Recover())

	registry := NewRegistry(os.Getenv("WATERWAYS_URL"), os.Getenv("WATERWAYS_KEY"))
	h := &Handlers{store: NewStore(), registry: registry}

	api := e.Group("/api/v1")
	api.GET("/passports", h.List)
	api.GET("/passports/:id", h.Get)
	api.POST("/passports", h.Issue)
	api.GET("/passports/:id/stamps", h.Stamps)

	e.Logger.Fatal(e.Start(":" + os.Getenv("PORT")))
}
