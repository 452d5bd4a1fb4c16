package main

import (
	"context"
	"net/http"

	v1 "example.com/x/rep"
)

type Passport = v1.Passport
type People map[string]*Passport

func (p People) best() *Passport {
	var best *Passport
	for _, x := range p {
		if best == nil || x.Score > best.Score { // read: passport.score
			best = x
		}
	}
	return best
}

func main() {
	c := v1.Client{Doer: http.DefaultClient, Base: "https://h"}
	people := People{}
	for _, id := range []string{"1", "2"} {
		p, err := c.Passport(context.Background(), id)
		if err != nil {
			panic(err)
		}
		people[id] = p
	}
	b := people.best()
	if s, ok := b.Find("lens"); ok {
		println(s.Image) // read: passport.passport_socials[].profile_image_url
	}
	get := c.Passport
	p, err := get(context.Background(), "3")
	if err != nil {
		panic(err)
	}
	println(p.Score) // read: passport.score
}
