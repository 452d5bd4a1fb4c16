package a

import (
	"encoding/json"
	"net/http"
	"strconv"
)

type Count int

func (c *Count) UnmarshalJSON(b []byte) error {
	s, err := strconv.Unquote(string(b))
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(s)
	*c = Count(n)
	return err
}

type Social struct {
	Followers Count  `json:"follower_count"`
	Source    string `json:"source"`
}
type Passport struct {
	Socials []Social `json:"passport_socials"`
}

func (p Passport) Reach() (n int) {
	for _, s := range p.Socials { // read: passport.passport_socials
		if s.Source == "lens" { // read: passport.passport_socials[].source
			n += int(s.Followers) // read: passport.passport_socials[].follower_count
		}
	}
	return n
}

func load(id string) (Passport, error) {
	r, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return Passport{}, err
	}
	defer r.Body.Close()
	var w struct{ Passport }
	var box struct {
		P json.RawMessage `json:"passport"`
	}
	_ = w
	if err := json.NewDecoder(r.Body).Decode(&box); err != nil {
		return Passport{}, err
	}
	var p Passport
	err = json.Unmarshal(box.P, &p)
	return p, err
}

func main() {
	p, err := load("1")
	if err != nil {
		panic(err)
	}
	println(p.Reach())
}
