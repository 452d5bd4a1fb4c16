package builder

import (
	"context"
	"os"
	"strconv"
	"time"

	"github.com/carlmjohnson/requests"
	"github.com/hashicorp/golang-lru/v2/expirable"
)

const defaultHost = "https://api.talentprotocol.com"

type API struct {
	rb    *requests.Builder
	cache *expirable.LRU[string, Passport]
}

func FromEnv() *API {
	host := os.Getenv("BUILDER_API")
	if host == "" {
		host = defaultHost
	}
	rb := requests.URL(host).
		Header("X-API-KEY", os.Getenv("BUILDER_API_KEY")).
		UserAgent("yesand-troupes/1.0")
	return &API{rb: rb, cache: expirable.NewLRU[string, Passport](512, nil, 10*time.Minute)}
}

func (a *API) Passport(ctx context.Context, wallet string) (Passport, error) {
	if p, ok := a.cache.Get(wallet); ok {
		return p, nil
	}
	var out PassportResponse
	err := a.rb.Clone().
		Pathf("/api/v1/passports/%s", wallet).
		ToJSON(&out).
		Fetch(ctx)
	if err != nil {
		return Passport{}, err
	}
	a.cache.Add(wallet, out.Passport)
	return out.Passport, nil
}

func (a *API) Search(ctx context.Context, keyword string, max int) ([]Passport, error) {
	var all []Passport
	for page := 1; len(all) < max; page++ {
		var out PassportsResponse
		err := a.rb.Clone().
			Path("/api/v1/passports").
			Param("keyword", keyword).
			ParamInt("page", page).
			ToJSON(&out).
			Fetch(ctx)
		if err != nil {
			return all, err
		}
		all = append(all, out.Passports...)
		if out.Pagination.CurrentPage >= out.Pagination.LastPage {
			break
		}
	}
	return all[:min(max, len(all))], nil
}

// BestCredential is the name of the credential that weighs most, or "".
func (a *API) BestCredential(ctx context.Context, passportID int) string {
	var out CredentialsResponse
	if err := a.rb.Clone().Path("/api/v1/passport_credentials").Param("passport_id", strconv.Itoa(passportID)).ToJSON(&out).Fetch(ctx); err != nil {
		return ""
	}
	var best PassportCredential
	for _, c := range out.PassportCredentials {
		if c.Score > best.Score && c.Type != "active_wallet" {
			best = c
		}
	}
	return best.Name
}
