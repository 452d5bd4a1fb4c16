package gate

import (
	"encoding/json"
	"net/http"
	"time"
)

type Passport struct {
	Score            *float64   `json:"score,omitempty"`
	LastCalculatedAt *time.Time `json:"last_calculated_at,omitempty"`
	VerifiedWallets  []string   `json:"verified_wallets,omitempty"`
	CalculatingScore bool       `json:"calculating_score,omitempty"`
}

type Gate struct {
	Base   string
	Client http.Client
}

func (g *Gate) passport(id string) (*Passport, error) {
	resp, err := g.Client.Get(g.Base + "/api/v1/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body map[string]*Passport
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	return body["passport"], nil
}

func (g *Gate) Score(id string) float64 {
	p, err := g.passport(id)
	if err != nil { // hazard: catch-default
		return 0
	}
	if p.Score == nil { // read: passport.score; hazard: fallback-default
		return 0
	}
	return *p.Score // read: passport.score
}

func (g *Gate) Stale(id string, age time.Duration) (bool, error) {
	p, err := g.passport(id)
	if err != nil {
		return false, err
	}
	if p.CalculatingScore || len(p.VerifiedWallets) == 0 { // read: passport.calculating_score, passport.verified_wallets[]
		return false, nil
	}
	return time.Since(*p.LastCalculatedAt) > age, nil // read: passport.last_calculated_at
}
