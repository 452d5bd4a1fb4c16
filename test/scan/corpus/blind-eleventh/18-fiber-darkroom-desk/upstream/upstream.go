package upstream

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"
)

const (
	passportsPath   = "/api/v1/passports"
	credentialsPath = "/api/v1/passport_credentials"
)

type Passport struct {
	PassportID       int      `json:"passport_id"`
	Score            int      `json:"score"`
	IdentityScore    int      `json:"identity_score"`
	HumanCheckmark   bool     `json:"human_checkmark"`
	LastCalculatedAt string   `json:"last_calculated_at"`
	MainWallet       string   `json:"main_wallet"`
	VerifiedWallets  []string `json:"verified_wallets"`
	Merged           bool     `json:"merged"`
	PassportProfile  struct {
		Bio         string   `json:"bio"`
		DisplayName string   `json:"display_name"`
		Tags        []string `json:"tags"`
	} `json:"passport_profile"`
	PassportSocials []struct {
		Source          string `json:"source"`
		ProfileBio      string `json:"profile_bio"`
		ProfileImageURL string `json:"profile_image_url"`
	} `json:"passport_socials"`
}

type Credential struct {
	Category         string  `json:"category"`
	LastCalculatedAt string  `json:"last_calculated_at"`
	Score            float64 `json:"score"`
	Type             string  `json:"type"`
}

type API struct {
	BaseURL string
	Key     string
}

func (a API) agent(path string) *fiber.Agent {
	ag := fiber.Get(a.BaseURL + path)
	ag.Set("X-API-KEY", a.Key)
	ag.Timeout(6 * time.Second)
	return ag
}

func (a API) Passport(wallet string) (*Passport, error) {
	var out struct {
		Passport *Passport `json:"passport"`
	}
	code, _, errs := a.agent(passportsPath + "/" + url.PathEscape(wallet)).Struct(&out)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if code != fiber.StatusOK || out.Passport == nil {
		return nil, fiber.NewError(fiber.StatusBadGateway, fmt.Sprintf("upstream said %d", code))
	}
	return out.Passport, nil
}

func (a API) Credentials(id int) []Credential {
	var out struct {
		List []Credential `json:"passport_credentials"`
	}
	ag := a.agent(credentialsPath)
	ag.QueryString(fmt.Sprintf("passport_id=%d", id))
	code, _, errs := ag.Struct(&out)
	if code != fiber.StatusOK || len(errs) > 0 {
		return nil
	}
	return out.List
}

func (a API) Top() ([]Passport, error) {
	var out struct {
		Passports []Passport `json:"passports"`
	}
	_, _, errs := a.agent(passportsPath).Struct(&out)
	return out.Passports, errors.Join(errs...)
}
