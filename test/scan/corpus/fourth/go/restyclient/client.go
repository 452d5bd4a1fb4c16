package restyclient

import (
	"github.com/go-resty/resty/v2"
)

type Client struct {
	rc *resty.Client
}

func New(key string) *Client {
	rc := resty.New().SetBaseURL("https://rep.example.org/api/v1").SetHeader("X-API-KEY", key)
	return &Client{rc: rc}
}

func (c *Client) Search(keyword string) ([]Passport, int, error) {
	var out listResponse
	_, err := c.rc.R().SetQueryParam("keyword", keyword).SetResult(&out).Get("/passports") // call: passport-list
	if err != nil {
		return nil, 0, err
	}
	return out.Passports, out.Pagination.Total, nil // read: pagination.total
}

func (c *Client) ByID(id string) (Passport, error) {
	var out struct {
		Passport Passport `json:"passport"`
	}
	_, err := c.rc.R().SetResult(&out).Get("/passports/" + id) // call: passport
	return out.Passport, err
}
