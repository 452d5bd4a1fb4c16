package gate

import (
	"context"
	"encoding/json"
	"net/http"
)

type Passport struct {
	Score      float64  `json:"score"`
	Identity   float64  `json:"identity_score"`
	Calc       bool     `json:"calculating_score"`
	Socials    []Social `json:"passport_socials"`
}

type Social struct {
	Source    string `json:"source"`
	Followers string `json:"follower_count"`
}

type Source interface {
	Fetch(ctx context.Context, id string) (Passport, error)
}

type httpSource struct {
	client *http.Client
	base   string
}

func NewHTTP(base string) Source { return &httpSource{client: &http.Client{}, base: base} }

func (h *httpSource) Fetch(ctx context.Context, id string) (Passport, error) {
	var env struct{ Passport Passport }
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, h.base+"/api/v1/passports/"+id, nil) // call: passport
	res, err := h.client.Do(req)
	if err != nil {
		return Passport{}, err
	}
	defer res.Body.Close()
	err = json.NewDecoder(res.Body).Decode(&env)
	return env.Passport, err
}

type cached struct {
	inner Source
	seen  map[string]Passport
}

func (c *cached) Fetch(ctx context.Context, id string) (Passport, error) {
	if p, ok := c.seen[id]; ok {
		return p, nil
	}
	p, err := c.inner.Fetch(ctx, id)
	if err == nil {
		c.seen[id] = p
	}
	return p, err
}
