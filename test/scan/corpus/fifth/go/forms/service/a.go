package a

import (
	"encoding/json"
	"net/http"
)

type Services struct {
	Passports   *PassportService
	Credentials *CredentialService
}
type service struct{ c *Client }
type PassportService service
type CredentialService service
type Client struct {
	common service
	base   string
	Services
}

func New(base string) *Client {
	c := &Client{base: base}
	c.common.c = c
	c.Passports = (*PassportService)(&c.common)
	c.Credentials = (*CredentialService)(&c.common)
	return c
}

func (c *Client) get(path string, v any) (*http.Response, error) {
	resp, err := http.Get(c.base + "/api/v1" + path)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return resp, json.NewDecoder(resp.Body).Decode(v)
}

type Passport struct {
	Merged *bool    `json:"merged"`
	Human  *bool    `json:"human_checkmark"`
	Skills *float64 `json:"skills_score"`
}

func (p *Passport) GetSkills() float64 {
	if p == nil || p.Skills == nil { // read: passport.skills_score; hazard: fallback-default
		return 0
	}
	return *p.Skills // read: passport.skills_score
}

func (s *PassportService) Get(id string) (*Passport, *http.Response, error) {
	var out struct {
		Passport *Passport `json:"passport"`
	}
	resp, err := s.c.get("/passports/"+id, &out) // call: passport
	if err != nil {
		return nil, resp, err
	}
	return out.Passport, resp, nil
}

type Credential struct {
	Earned string `json:"earned_at"`
}

func (s *CredentialService) List(id string) ([]*Credential, error) {
	var out struct {
		Items []*Credential `json:"passport_credentials"`
	}
	if _, err := s.c.get("/passport_credentials?passport_id="+id, &out); err != nil { // call: passport-credentials
		return nil, err
	}
	return out.Items, nil
}

func main() {
	c := New("https://h")
	p, _, err := c.Passports.Get("1")
	if err != nil {
		panic(err)
	}
	println(p.GetSkills(), *p.Merged) // read: passport.merged
	l, err := c.Credentials.List("1")
	if err != nil {
		panic(err)
	}
	for _, x := range l {
		println(x.Earned) // read: passport_credentials[].earned_at
	}
}
