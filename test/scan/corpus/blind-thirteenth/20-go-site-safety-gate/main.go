package main

import (
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/harrowbuild/turnstile/internal/gate"
	"github.com/harrowbuild/turnstile/internal/scheme"
)

func main() {
	register := &scheme.Client{
		BaseURL: os.Getenv("SCHEME_URL"),
		Token:   os.Getenv("SCHEME_TOKEN"),
		HTTP:    &http.Client{Timeout: 3 * time.Second},
	}
	g := &gate.Gate{
		Register: register,
		PassMark: 80,
		Needs:    strings.Fields(os.Getenv("SITE_NEEDS")),
		Now:      time.Now,
	}

	e := echo.New()
	e.Use(middleware.Logger(), middleware.Recover())
	api := e.Group("/api")
	api.GET("/passports/:number", func(c echo.Context) error {
		p, err := register.Passport(c.Request().Context(), c.Param("number"))
		if err != nil {
			return echo.NewHTTPError(http.StatusBadGateway, err.Error())
		}
		return c.JSON(http.StatusOK, echo.Map{"passport": p})
	})
	api.POST("/turnstiles/:id/scan", func(c echo.Context) error {
		var scan struct {
			PassportNumber string `json:"passport_number"`
		}
		if err := c.Bind(&scan); err != nil {
			return err
		}
		d, err := g.Check(c.Request().Context(), scan.PassportNumber)
		if err != nil {
			c.Logger().Error(err)
			return c.JSON(http.StatusServiceUnavailable, gate.Decision{Reason: "register not reachable"})
		}
		return c.JSON(http.StatusOK, d)
	})
	e.Logger.Fatal(e.Start(":8090"))
}
