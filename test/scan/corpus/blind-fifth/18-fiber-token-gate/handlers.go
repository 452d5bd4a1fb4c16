package main

import (
	"os"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/golang-jwt/jwt/v5"
)

type claims struct {
	Wallet string  `json:"wallet"`
	Score  float64 `json:"score"`
	Tier   string  `json:"tier"`
	jwt.RegisteredClaims
}

func tier(score float64) string {
	switch {
	case score >= 100:
		return "gold"
	case score >= 50:
		return "silver"
	default:
		return "none"
	}
}

func login(c *fiber.Ctx) error {
	var in struct {
		Wallet    string `json:"wallet"`
		Signature string `json:"signature"`
	}
	if err := c.BodyParser(&in); err != nil {
		return fiber.ErrBadRequest
	}
	if !validSignature(in.Wallet, in.Signature) {
		return fiber.ErrUnauthorized
	}

	p, err := fetchPassport(strings.ToLower(in.Wallet))
	if err != nil {
		return fiber.NewError(fiber.StatusBadGateway, "passport service unavailable")
	}
	if p.Merged {
		return fiber.NewError(fiber.StatusConflict, "this passport was merged, use the other wallet")
	}
	world, err := hasCredential(p.PassportID, "worldcoin")
	if err != nil {
		return fiber.NewError(fiber.StatusBadGateway, err.Error())
	}
	if !p.HumanCheckmark && !world {
		return fiber.NewError(fiber.StatusForbidden, "humans only")
	}

	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		Wallet: in.Wallet,
		Score:  p.Score,
		Tier:   tier(p.Score + p.IdentityScore/10),
		RegisteredClaims: jwt.RegisteredClaims{
			ExpiresAt: jwt.NewNumericDate(time.Now().Add(12 * time.Hour)),
		},
	})
	signed, err := token.SignedString([]byte(os.Getenv("JWT_SECRET")))
	if err != nil {
		return err
	}

	name := in.Wallet
	if p.PassportProfile != nil {
		name = p.PassportProfile.DisplayName
	}
	return c.JSON(fiber.Map{"token": signed, "name": name})
}

func showTier(c *fiber.Ctx) error {
	score := fetchScore(c.Params("wallet"))
	return c.JSON(fiber.Map{"wallet": c.Params("wallet"), "score": score, "tier": tier(score)})
}

func requireScore(min float64) fiber.Handler {
	return func(c *fiber.Ctx) error {
		raw := strings.TrimPrefix(c.Get("Authorization"), "Bearer ")
		var cl claims
		_, err := jwt.ParseWithClaims(raw, &cl, func(*jwt.Token) (any, error) { return []byte(os.Getenv("JWT_SECRET")), nil })
		if err != nil {
			return fiber.ErrUnauthorized
		}
		if cl.Score < min {
			return fiber.ErrForbidden
		}
		c.Locals("claims", &cl)
		return c.Next()
	}
}

func me(c *fiber.Ctx) error {
	cl := c.Locals("claims").(*claims)
	return c.JSON(fiber.Map{"wallet": cl.Wallet, "tier": cl.Tier, "score": cl.Score})
}
