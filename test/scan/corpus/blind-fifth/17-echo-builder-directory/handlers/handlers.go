package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/onchain-guild/directory/passports"
)

type Handler struct {
	Passports *passports.Service
}

type builderView struct {
	Name      string   `json:"display_name"`
	Wallet    string   `json:"main_wallet"`
	Score     int      `json:"score"`
	Verified  bool     `json:"verified"`
	Tags      []string `json:"tags"`
	Followers int      `json:"followers"`
}

func view(p *passports.Passport) builderView {
	v := builderView{
		Name:     p.Profile.DisplayName,
		Wallet:   p.MainWallet,
		Score:    p.Score,
		Verified: p.Human && len(p.Wallets) > 0,
		Tags:     p.Profile.Tags,
	}
	if v.Name == "" {
		v.Name = v.Wallet
	}
	for _, s := range p.Socials {
		n, err := strconv.Atoi(s.Followers)
		if err == nil {
			v.Followers += n
		}
	}
	return v
}

func fail(err error) error {
	if errors.Is(err, passports.ErrNotFound) {
		return echo.NewHTTPError(http.StatusNotFound, err.Error())
	}
	return echo.NewHTTPError(http.StatusBadGateway, err.Error())
}

func (h Handler) List(c echo.Context) error {
	found, total, err := h.Passports.Search(c.Request().Context(), c.QueryParam("q"))
	if err != nil {
		return fail(err)
	}
	views := make([]builderView, 0, len(found))
	for i := range found {
		if tag := c.QueryParam("tag"); tag != "" && !found[i].HasTag(tag) {
			continue
		}
		views = append(views, view(&found[i]))
	}
	return c.JSON(http.StatusOK, echo.Map{"builders": views, "total": total})
}

func (h Handler) Show(c echo.Context) error {
	p, err := h.Passports.Get(c.Request().Context(), c.Param("wallet"))
	if err != nil {
		return fail(err)
	}
	return c.JSON(http.StatusOK, view(p))
}

func (h Handler) Score(c echo.Context) error {
	p, err := h.Passports.Get(c.Request().Context(), c.Param("wallet"))
	if err != nil {
		c.Logger().Warn(err)
		return c.JSON(http.StatusOK, echo.Map{"score": 0})
	}
	return c.JSON(http.StatusOK, echo.Map{
		"score":      p.Score,
		"skills":     p.SkillsScore,
		"pending":    p.Calculating,
		"updated_at": p.LastCalculated,
	})
}

func (h Handler) Credentials(c echo.Context) error {
	ctx := c.Request().Context()
	p, err := h.Passports.Get(ctx, c.Param("wallet"))
	if err != nil {
		return fail(err)
	}
	type item struct {
		Title   string  `json:"title"`
		Percent float64 `json:"percent"`
	}
	groups := map[string][]item{}
	for _, cr := range h.Passports.Credentials(ctx, p.ID) {
		if cr.EarnedAt == "" || cr.MaxScore == 0 {
			continue
		}
		groups[cr.Category] = append(groups[cr.Category], item{cr.Name, 100 * cr.Score / cr.MaxScore})
	}
	return c.JSON(http.StatusOK, groups)
}
