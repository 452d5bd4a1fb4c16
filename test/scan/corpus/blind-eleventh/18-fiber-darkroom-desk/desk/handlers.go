package desk

import (
	"log"

	"github.com/gofiber/fiber/v2"
	gocache "github.com/patrickmn/go-cache"

	"github.com/silverhalide/darkroom-desk/upstream"
)

type Handlers struct {
	API   upstream.API
	Cache *gocache.Cache
}

func (h *Handlers) load(wallet string) (*upstream.Passport, error) {
	if hit, ok := h.Cache.Get("p:" + wallet); ok {
		return hit.(*upstream.Passport), nil
	}
	p, err := h.API.Passport(wallet)
	if err != nil {
		return nil, err
	}
	for _, w := range p.VerifiedWallets {
		h.Cache.SetDefault("p:"+w, p)
	}
	h.Cache.SetDefault("p:"+wallet, p)
	return p, nil
}

func (h *Handlers) Member(c *fiber.Ctx) error {
	p, err := h.load(c.Params("wallet"))
	if err != nil {
		return err
	}
	if p.Merged {
		return c.Status(fiber.StatusConflict).JSON(fiber.Map{"error": "this account was merged"})
	}
	view := toView(p)
	if view.Stale {
		c.Set("Warning", `110 - "stale"`)
	}
	return c.JSON(view)
}

func (h *Handlers) Slots(c *fiber.Ctx) error {
	p, err := h.load(c.Params("wallet"))
	if err != nil {
		log.Printf("slots: %v", err)
		return c.JSON(fiber.Map{"slots": 0})
	}
	slots := 1 + p.IdentityScore/10
	for _, cr := range h.API.Credentials(p.PassportID) {
		if cr.Category == "Skills" && cr.Score > 4 {
			slots++
		}
	}
	return c.JSON(fiber.Map{"slots": min(slots, 6)})
}

func (h *Handlers) Top(c *fiber.Ctx) error {
	if hit, ok := h.Cache.Get("top"); ok {
		return c.JSON(hit)
	}
	people, err := h.API.Top()
	if err != nil {
		return fiber.ErrBadGateway
	}
	views := make([]memberView, 0, len(people))
	for i := range people {
		views = append(views, toView(&people[i]))
	}
	h.Cache.SetDefault("top", views)
	return c.JSON(views)
}
