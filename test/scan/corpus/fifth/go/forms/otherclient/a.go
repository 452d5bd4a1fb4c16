package main

import (
	"encoding/json"
	"net/http"
)

type User struct {
	Score         float64 `json:"score"`
	FollowerCount string  `json:"follower_count"`
	MainWallet    string  `json:"main_wallet"`
}

type Client struct{ base string }

func (c *Client) get(p string, v any) error {
	r, err := http.Get(c.base + p)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(v)
}

func main() {
	gh := &Client{"https://api.github.com"}
	rep := &Client{"https://rep.example"}
	var u User
	if err := gh.get("/users/x", &u); err != nil {
		panic(err)
	}
	println(u.Score, u.FollowerCount)
	var p struct {
		Passport struct {
			Score float64 `json:"score"`
		} `json:"passport"`
	}
	if err := rep.get("/api/v1/passports/1", &p); err != nil { // call: passport
		panic(err)
	}
	println(p.Passport.Score) // read: passport.score
	var q struct {
		Score float64 `json:"score"`
	}
	if err := rep.get("/api/v2/passports/1", &q); err != nil {
		panic(err)
	}
	println(q.Score)
}
