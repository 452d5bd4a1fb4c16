package main

import (
	"fmt"

	"github.com/go-resty/resty/v2"
)

type Credentials struct {
	Items []struct {
		ID       string  `json:"id"`
		Category string  `json:"category"`
		Max      float64 `json:"max_score"`
	} `json:"passport_credentials"`
}

type holder struct {
	Passport struct {
		Wallets []string `json:"verified_wallets"`
	} `json:"passport"`
}

type svc struct{ http *resty.Client }

func newSvc(base string) *svc {
	c := resty.New()
	c.SetBaseURL(base)
	return &svc{http: c}
}

func (s *svc) creds(id string) (*Credentials, error) {
	resp, err := s.http.R().
		SetQueryParam("passport_id", id).
		SetResult(&Credentials{}).
		Get("/api/v1/passport_credentials") // call: passport-credentials
	if err != nil {
		return nil, err
	}
	if resp.IsError() {
		return nil, fmt.Errorf("status %s", resp.Status())
	}
	return resp.Result().(*Credentials), nil
}

func (s *svc) wallets(id string) ([]string, error) {
	out := &holder{}
	_, err := s.http.R().
		SetPathParam("id", id).
		SetResult(out).
		Get("/api/v1/passports/{id}") // call: passport
	return out.Passport.Wallets, err // read: passport.verified_wallets[]
}

func main() {
	s := newSvc("https://rep.example.org")
	c, err := s.creds("5")
	if err != nil {
		panic(err)
	}
	for _, x := range c.Items {
		fmt.Println(x.ID, x.Category, x.Max) // read: passport_credentials[].id, passport_credentials[].category, passport_credentials[].max_score
	}
	fmt.Println(s.wallets("5"))
}
