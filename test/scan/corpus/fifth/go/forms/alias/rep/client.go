package rep

import (
	"context"
	"encoding/json"
	"net/http"
)

type Doer interface {
	Do(*http.Request) (*http.Response, error)
}
type Client struct {
	Doer
	Base string
}

func (c Client) Passport(ctx context.Context, id string) (*Passport, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", c.Base+"/api/v1/passports/"+id, nil) // call: passport
	if err != nil {
		return nil, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	env := Envelope{}
	return &env.Passport, json.NewDecoder(resp.Body).Decode(&env)
}
