package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

type request struct {
	method string
	path   string
	query  url.Values
}

type client struct {
	base string
	hc   *http.Client
}

func (c *client) do(ctx context.Context, r request, out any) error {
	u := c.base + r.path
	if len(r.query) > 0 {
		u = u + "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, u, nil)
	if err != nil {
		return err
	}
	resp, err := c.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return json.NewDecoder(resp.Body).Decode(out)
	case http.StatusUnauthorized:
		return errors.New("key")
	default:
		return fmt.Errorf("status %d", resp.StatusCode)
	}
}

type person struct {
	Bio  string `json:"bio"`
	City string `json:"location"`
}

func (c *client) profile(ctx context.Context, id string) (*person, error) {
	var out struct {
		Passport struct {
			Profile person `json:"passport_profile"`
		} `json:"passport"`
	}
	if err := c.do(ctx, request{method: http.MethodGet, path: "/api/v1/passports/" + id}, &out); err != nil { // call: passport
		return nil, err
	}
	return &out.Passport.Profile, nil // read: passport.passport_profile
}

func (c *client) orders(ctx context.Context) (n int, err error) {
	var out struct {
		Total int `json:"total"`
	}
	err = c.do(ctx, request{method: "GET", path: "/api/v1/orders"}, &out)
	return out.Total, err
}

func main() {
	c := &client{base: "https://rep.example.org", hc: &http.Client{}}
	p, err := c.profile(context.Background(), "3")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s from %s\n", p.Bio, p.City) // read: passport.passport_profile.bio, passport.passport_profile.location
	fmt.Println(c.orders(context.Background()))
}
