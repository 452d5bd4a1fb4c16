package web

import (
	"net/http"
	"sort"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/bikekitchen/volunteers/talent"
)

type Volunteer struct {
	ID        int      `json:"id"`
	Name      string   `json:"name"`
	City      string   `json:"city,omitempty"`
	Score     float64  `json:"score"`
	Tags      []string `json:"tags"`
	Farcaster string   `json:"farcaster,omitempty"`
	Reach     int      `json:"reach"`
	Badges    []string `json:"badges,omitempty"`
}

func toVolunteer(p talent.Passport) Volunteer {
	v := Volunteer{ID: p.PassportID, Score: p.Score, Tags: []string{}}
	if p.PassportProfile != nil {
		v.Name = p.PassportProfile.DisplayName
		v.City = p.PassportProfile.Location
		v.Tags = p.PassportProfile.Tags
	}
	if v.Name == "" && len(p.VerifiedWallets) > 0 {
		v.Name = p.VerifiedWallets[0]
	}
	for _, s := range p.PassportSocials {
		n, _ := strconv.Atoi(s.FollowerCount)
		v.Reach += n
		if s.Source == "farcaster" {
			v.Farcaster = s.ProfileName
		}
	}
	return v
}

type Handler struct {
	Talent *talent.Service
	Notify func(text string)
}

func (h *Handler) Register(g *echo.Group) {
	g.GET("/volunteers", h.list)
	g.GET("/volunteers/:id", h.show)
	g.POST("/volunteers/:id/checkin", h.checkin)
}

func (h *Handler) list(c echo.Context) error {
	found, err := h.Talent.Search(c.QueryParam("q"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	sort.Slice(found, func(i, j int) bool { return found[i].SkillsScore > found[j].SkillsScore })
	out := make([]Volunteer, 0, len(found))
	for _, p := range found {
		out = append(out, toVolunteer(p))
	}
	return c.JSON(http.StatusOK, out)
}

func (h *Handler) show(c echo.Context) error {
	p, err := h.Talent.Passport(c.Param("id"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	v := toVolunteer(*p)
	for _, cr := range h.Talent.Credentials(v.ID) {
		if cr.Type == "active_wallet" || cr.Value == "" {
			continue
		}
		v.Badges = append(v.Badges, cr.Name+": "+cr.Value)
	}
	c.Response().Header().Set("Last-Modified", p.LastCalculatedAt)
	return c.JSON(http.StatusOK, v)
}

func (h *Handler) checkin(c echo.Context) error {
	p, err := h.Talent.Passport(c.Param("id"))
	if err != nil {
		p = &talent.Passport{}
	}
	v := toVolunteer(*p)
	h.Notify(v.Name + " is in the workshop, score " + strconv.Itoa(int(v.Score)))
	return c.NoContent(http.StatusNoContent)
}
