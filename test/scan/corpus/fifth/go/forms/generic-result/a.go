package a

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

type Result[T any] struct {
	Value T
	Err   error
}

func fetch[T any](url string) Result[T] {
	var r Result[T]
	resp, err := http.Get(url)
	if err != nil {
		r.Err = err
		return r
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return Result[T]{Err: err}
	}
	r.Err = json.Unmarshal(data, &r.Value)
	return r
}

type One struct {
	Passport Person `json:"passport"`
}
type Person struct {
	Identity float64 `json:"identity_score"`
	Links    []Link  `json:"passport_socials"`
}
type Link struct {
	Followers string `json:"follower_count"`
	URL       string `json:"profile_url"`
}

func run(id int) {
	res := fetch[One](fmt.Sprintf("https://h/api/v1/passports/%d", id)) // call: passport; hazard: integer-id
	if res.Err != nil {
		panic(res.Err)
	}
	println(res.Value.Passport.Identity) // read: passport.identity_score
	for _, l := range res.Value.Passport.Links { // read: passport.passport_socials
		println(l.URL) // read: passport.passport_socials[].profile_url
	}
}
