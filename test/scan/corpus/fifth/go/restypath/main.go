package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/go-resty/resty/v2"
)

type Social struct {
	Source        string `json:"source"`
	FollowerCount string `json:"follower_count"`
	ProfileURL    string `json:"profile_url"`
}

type Envelope struct {
	Passport struct {
		Score   float64  `json:"score"`
		Socials []Social `json:"passport_socials"`
	} `json:"passport"`
}

func main() {
	client := resty.New()
	client.SetBaseURL("https://rep.example.org")

	var env Envelope
	resp, err := client.R().
		SetPathParam("id", os.Args[1]).
		SetResult(&env).
		Get("/api/v1/passports/{id}") // call: passport
	if err != nil || resp.IsError() {
		fmt.Fprintln(os.Stderr, "failed")
		os.Exit(1)
	}
	fmt.Println("score", env.Passport.Score) // read: passport.score
	sum := 0
	for _, s := range env.Passport.Socials { // read: passport.passport_socials
		n, _ := strconv.Atoi(s.FollowerCount) // read: passport.passport_socials[].follower_count; hazard: string-number
		sum += n
		fmt.Println(s.Source, s.ProfileURL) // read: passport.passport_socials[].source, passport.passport_socials[].profile_url
	}
	fmt.Println("fans", sum)

	var repo struct {
		Score  float64 `json:"score"`
		Source string  `json:"source"`
	}
	client.R().SetResult(&repo).Get("https://git.example.com/api/v1/repos/demo")
	fmt.Println(repo.Score, repo.Source)
}
