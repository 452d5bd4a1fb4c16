package main

import (
	"net/http"
	"sort"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

type Handlers struct {
	store    *Store
	registry *Registry
}

func (h *Handlers) List(c echo.Context) error {
	boats := h.store.All()
	sort.Slice(boats, func(i, k int) bool { return boats[i].HullScore > boats[k].HullScore })
	return c.JSON(http.StatusOK, echo.Map{
		"passports":  boats,
		"pagination": echo.Map{"current_page": 1, "last_page": 1, "total": len(boats)},
	})
}

func (h *Handlers) Get(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "bad id")
	}
	p, ok := h.store.Find(id)
	if !ok {
		return echo.ErrNotFound
	}
	return c.JSON(http.StatusOK, echo.Map{"passport": p})
}

func (h *Handlers) Issue(c echo.Context) error {
	var in struct {
		Licence string `json:"licence"`
	}
	if err := c.Bind(&in); err != nil {
		return err
	}
	boat, err := h.registry.Lookup(c.Request().Context(), in.Licence)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	if boat.Survey.Score < 3 {
		return echo.NewHTTPError(http.StatusForbidden, "hull survey too low")
	}
	p := h.store.Add(&BoatPassport{
		BoatName:   boat.Name,
		Mooring:    boat.HomeMooring,
		HullScore:  boat.Survey.Score,
		LengthFeet: boat.Length,
		IssuedAt:   time.Now(),
	})
	return c.JSON(http.StatusCreated, echo.Map{"passport": p})
}

func (h *Handlers) Stamps(c echo.Context) error {
	id, _ := strconv.Atoi(c.Param("id"))
	p, ok := h.store.Find(id)
	if !ok {
		return c.JSON(http.StatusOK, []Stamp{})
	}
	return c.JSON(http.StatusOK, p.Stamps)
}
