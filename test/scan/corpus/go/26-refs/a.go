package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type state struct {
	last  response
	cache map[string]*response
}

type response struct {
	Passport struct {
		Score  float64 `json:"score"`
		Merged bool    `json:"merged"`
	} `json:"passport"`
}

func (s *state) refresh(id string) error {
	res, err := http.Get(endpoints["passport"] + id) // call: passport
	if err != nil {
		return err
	}
	defer res.Body.Close()
	dec := json.NewDecoder(res.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s.last); err != nil {
		return err
	}
	s.cache[id] = &s.last
	return nil
}

var endpoints = map[string]string{
	"passport": "https://rep.example.org/api/v1/passports/",
	"orders":   "https://shop.example.org/api/v1/orders/",
}

func (s *state) score() float64 { return s.last.Passport.Score } // read: passport.score

func fill(id string, out *response) (err error) {
	var res *http.Response
	if res, err = http.Get("https://rep.example.org/api/v1/passports/" + id); err != nil { // call: passport
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(out)
}

func main() {
	s := &state{cache: map[string]*response{}}
	if err := s.refresh("1"); err != nil {
		panic(err)
	}
	fmt.Println(s.score(), s.cache["1"].Passport.Merged) // read: passport.merged
	var r response
	if err := fill("2", &r); err != nil {
		panic(err)
	}
	fmt.Println(r.Passport.Merged) // read: passport.merged
	p := &response{}
	if err := fill("3", p); err != nil {
		panic(err)
	}
	fmt.Println(p.Passport.Score) // read: passport.score
	var game struct {
		Passport struct {
			Score float64 `json:"score"`
		} `json:"passport"`
	}
	game.Passport.Score = 3
	fmt.Println(game.Passport.Score)
}
