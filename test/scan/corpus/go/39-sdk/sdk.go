package sdk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type (
	service struct{ c *Client }

	// PassportsService groups the passport calls.
	PassportsService service
	// CredentialsService groups the rest.
	CredentialsService service

	Client struct {
		base        string
		http        *http.Client
		common      service
		Passports   *PassportsService
		Credentials *CredentialsService
	}

	ListOptions struct {
		Keyword string
		Page    int
	}
)

func NewClient(base string) *Client {
	c := &Client{base: base, http: &http.Client{Timeout: time.Second}}
	c.common.c = c
	c.Passports = (*PassportsService)(&c.common)
	c.Credentials = (*CredentialsService)(&c.common)
	return c
}

func (c *Client) newRequest(method, path string) (*http.Request, error) {
	return http.NewRequest(method, c.base+"/api/v1/"+path, nil)
}

func (c *Client) do(req *http.Request, v interface{}) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if v != nil {
		err = json.NewDecoder(resp.Body).Decode(v)
	}
	return resp, err
}

func (s *PassportsService) List(opt *ListOptions) ([]*Passport, *Pagination, error) {
	u := "passports"
	if opt != nil {
		u += fmt.Sprintf("?keyword=%s&page=%d", opt.Keyword, opt.Page)
	}
	req, err := s.c.newRequest("GET", u) // call: passport-list
	if err != nil {
		return nil, nil, err
	}
	root := new(passportsRoot)
	if _, err := s.c.do(req, root); err != nil {
		return nil, nil, err
	}
	return root.Passports, root.Pagination, nil // read: pagination
}

func (s *CredentialsService) For(id int) ([]Credential, error) {
	req, err := s.c.newRequest("GET", fmt.Sprintf("passport_credentials?passport_id=%d", id)) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	var root struct {
		Items []Credential `json:"passport_credentials"`
	}
	_, err = s.c.do(req, &root)
	return root.Items, err
}
