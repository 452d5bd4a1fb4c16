package store

import (
	"encoding/json"
	"net/http"
	"path"
)

type Fetcher interface {
	Wallets(id string) ([]string, error)
}

type httpFetcher struct{ root string }

func NewFetcher() Fetcher { return httpFetcher{root: "https://api.example.com"} }

func (f httpFetcher) Wallets(id string) ([]string, error) {
	resp, err := http.Get(f.root + path.Join("/api/v1/passports", id)) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body := new(struct {
		Passport struct {
			VerifiedWallets []string `json:"verified_wallets"`
			Calculating     bool     `json:"calculating_score"`
		} `json:"passport"`
	})
	if err := json.NewDecoder(resp.Body).Decode(body); err != nil {
		return nil, err
	}
	if body.Passport.Calculating { // read: passport.calculating_score
		return nil, errBusy
	}
	return body.Passport.VerifiedWallets, nil // read: passport.verified_wallets[]
}
