package main

import (
	"net/http"
	"os"
	"sort"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"example.edu/langoffice/badges"
	"example.edu/langoffice/cefr"
)

type office struct {
	board    *cefr.Board
	students map[int]cefr.Passport
}

func main() {
	o := &office{
		board:    cefr.NewBoard(os.Getenv("EXAM_BOARD_URL"), os.Getenv("EXAM_BOARD_TOKEN")),
		students: seed(),
	}
	e := echo.New()
	e.Use(middleware.Logger(), middleware.Recover())

	// our own service, students' apps call it
	api := e.Group("/api")
	api.GET("/language-passports", o.list)
	api.GET("/language-passports/:id", o.show)
	api.GET("/language-passports/:id/badges", o.badges)
	e.Logger.Fatal(e.Start(":8090"))
}

func (o *office) list(c echo.Context) error {
	passports := make([]cefr.Passport, 0, len(o.students))
	for _, p := range o.students {
		if c.QueryParam("verified") == "" || p.Verified {
			passports = append(passports, p)
		}
	}
	sort.Slice(passports, func(i, j int) bool { return passports[i].Score() > passports[j].Score() })
	return c.JSON(http.StatusOK, echo.Map{"passports": passports, "pagination": echo.Map{"total": len(passports)}})
}

func (o *office) show(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.ErrBadRequest
	}
	p, ok := o.students[id]
	if !ok {
		return echo.ErrNotFound
	}
	p.Exams, err = o.board.Results(c.Request().Context(), strconv.Itoa(p.PassportID))
	if err != nil {
		p.Exams = nil
	}
	return c.JSON(http.StatusOK, echo.Map{"passport": p, "title": p.Title(), "score": p.Score()})
}

func (o *office) badges(c echo.Context) error {
	all, err := badges.Load(c.Request().Context(), os.Getenv("BACKPACK_URL"), c.Request().Header.Get("X-Backpack"))
	if err != nil {
		return c.JSON(http.StatusOK, []badges.Assertion{})
	}
	valid := all[:0]
	for _, a := range all {
		if !a.Revoked {
			valid = append(valid, a)
		}
	}
	return c.JSON(http.StatusOK, valid)
}

func seed() map[int]cefr.Passport {
	return map[int]cefr.Passport{
		1: {PassportID: 1, DisplayName: "Ilse", Location: "Gent", Verified: true},
		2: {PassportID: 2, DisplayName: "Marek", Location: "Brno"},
	}
}
