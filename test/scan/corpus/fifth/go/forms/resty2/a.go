package a

import (
	"encoding/json"
	"errors"
	"log"

	"github.com/go-resty/resty/v2"
)

type Client struct{ *resty.Client }

func (c *Client) into(out any) *resty.Request {
	return c.R().SetHeader("X-API-KEY", "k").SetResult(out).SetError(&failure{})
}

type failure struct {
	Name string `json:"name"`
}
type one struct {
	Passport struct {
		Score float64 `json:"score"`
		Main  string  `json:"main_wallet"`
	} `json:"passport"`
}
type many struct {
	Rows []struct {
		ID int `json:"passport_id"` // hazard: integer-id
	} `json:"passports"`
	Pg struct {
		Last int `json:"last_page"`
	} `json:"pagination"`
}

func (c *Client) One(id string) (*one, error) {
	var o one
	resp, err := c.into(&o).SetPathParam("id", id).Get("/api/v1/passports/{id}") // call: passport
	if err != nil {
		return nil, err
	}
	if resp.IsError() {
		return nil, errors.New(resp.Error().(*failure).Name)
	}
	return &o, nil
}

func (c *Client) Score(id string) float64 {
	o, err := c.One(id)
	if err != nil { // hazard: catch-default
		log.Print(err)
		return 0
	}
	return o.Passport.Score // read: passport.score
}

func (c *Client) List() int {
	res, err := c.R().SetResult(&many{}).Get("/api/v1/passports") // call: passport-list
	if err != nil || !res.IsSuccess() { // hazard: catch-default, status-default
		return 0
	}
	m := res.Result().(*many)
	for _, r := range m.Rows {
		println(r.ID) // read: passports[].passport_id
	}
	return m.Pg.Last // read: pagination.last_page
}

func raw(c *resty.Client, id string) string {
	res, err := c.R().SetQueryParam("passport_id", id).Get("/api/v1/passport_credentials") // call: passport-credentials
	if err != nil {
		panic(err)
	}
	var v struct {
		L []struct {
			Name string `json:"name"`
		} `json:"passport_credentials"`
	}
	if err := json.Unmarshal(res.Body(), &v); err != nil {
		panic(err)
	}
	return v.L[0].Name // read: passport_credentials[].name
}

func other(c *resty.Client) {
	var t struct {
		Score float64 `json:"score"`
	}
	r := c.R()
	r.SetResult(&t)
	if _, err := r.Get("/api/v1/teams/4"); err != nil {
		panic(err)
	}
	println(t.Score)
	var p one
	if _, err := c.R().SetResult(&p).Post("/api/v1/passports"); err != nil {
		panic(err)
	}
	println(p.Passport.Main)
}
