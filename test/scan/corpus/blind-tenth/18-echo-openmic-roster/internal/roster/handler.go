package roster

import (
	"net/http"
	"sort"

	"github.com/labstack/echo/v4"

	"github.com/cellarstage/openmic/internal/talent"
)

type Handler struct {
	Talent *talent.Service
	Nights map[string][]string
}

func (h *Handler) Register(g *echo.Group) {
	g.GET("/performers/:wallet", h.performer)
	g.GET("/nights/:date", h.night)
}

func (h *Handler) performer(c echo.Context) error {
	ctx, wallet := c.Request().Context(), c.Param("wallet")
	p, err := h.Talent.Performer(ctx, wallet)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	if !owns(p, wallet) {
		return echo.ErrForbidden
	}
	links := map[string]string{}
	for _, s := range p.PassportSocials {
		links[s.Source] = s.ProfileURL
	}
	return c.JSON(http.StatusOK, echo.Map{"entry": newEntry(p, h.Talent.Credentials(ctx, p.PassportID)), "links": links})
}

func (h *Handler) night(c echo.Context) error {
	wallets, ok := h.Nights[c.Param("date")]
	if !ok {
		return echo.ErrNotFound
	}
	ctx := c.Request().Context()
	entries := make([]Entry, 0, len(wallets))
	for _, wallet := range wallets {
		p, err := h.Talent.Performer(ctx, wallet)
		if err != nil {
			c.Logger().Warnf("%s: %v", wallet, err)
			entries = append(entries, Entry{DisplayName: wallet})
			continue
		}
		entries = append(entries, newEntry(p, nil))
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Score < entries[j].Score })
	for i := range entries {
		entries[i].Slot = i + 1
	}
	return c.JSON(http.StatusOK, entries)
}
