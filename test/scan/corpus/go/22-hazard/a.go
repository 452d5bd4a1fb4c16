package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/ioutil"
	"log"
	"net/http"
	"strconv"
)

type P struct {
	Score *float64 `json:"score"`
	Subs  []S      `json:"passport_socials"`
}
type S struct {
	Followers string `json:"follower_count"`
}

func a(id string) P {
	resp, _ := http.Get("https://x.org/api/v1/passports/" + id) // call: passport; hazard: catch-default
	defer resp.Body.Close()
	var e struct{ Passport P }
	_ = json.NewDecoder(resp.Body).Decode(&e) // hazard: catch-default
	return e.Passport
}

func b(id string) (p P, err error) {
	resp, err := http.Get("https://x.org/api/v1/passports/" + id) // call: passport
	if err != nil {
		return
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, nil)
	bs, _ := ioutil.ReadAll(resp.Body) // hazard: catch-default
	var e struct{ Passport P }
	json.Unmarshal(bs, &e) // hazard: catch-default
	return e.Passport, nil
}

func score(p P) float64 {
	if p.Score == nil { // read: passport.score; hazard: fallback-default
		return 0
	}
	return *p.Score // read: passport.score
}

func scoreOr(p *P) float64 {
	if p != nil && p.Score != nil { // read: passport.score; hazard: fallback-default
		return *p.Score // read: passport.score
	}
	return 0
}

func main() {
	p, err := b("1")
	if err != nil { // hazard: catch-default
		log.Printf("no passport: %v", err)
	}
	total := 0
	for _, s := range p.Subs { // read: passport.passport_socials
		n, err := strconv.Atoi(s.Followers) // read: passport.passport_socials[].follower_count; hazard: string-number
		if err != nil {
			continue
		}
		total += n
	}
	fmt.Println(score(a("2")), scoreOr(&p), total)
}
