package main

import (
	"encoding/json"
	"fmt"

	"github.com/mitchellh/mapstructure"
	"github.com/parnurzeal/gorequest"
	"github.com/valyala/fasthttp"
)

type p struct {
	Human bool    `json:"human_checkmark" mapstructure:"human_checkmark"`
	Score float64 `json:"score"`
}

func main() {
	code, body, err := fasthttp.Get(nil, "https://rep.example.org/api/v1/passports/7") // call: passport
	if err != nil || code != 200 {
		panic(err)
	}
	var raw map[string]any
	if err := json.Unmarshal(body, &raw); err != nil {
		panic(err)
	}
	var x p
	if err := mapstructure.Decode(raw["passport"], &x); err != nil {
		panic(err)
	}
	fmt.Println(x.Human) // read: passport.human_checkmark
	_, text, errs := gorequest.New().Get("https://rep.example.org/api/v1/passports/8").End() // call: passport
	if len(errs) > 0 {
		panic(errs[0])
	}
	var y struct{ Passport p }
	if err := json.Unmarshal([]byte(text), &y); err != nil {
		panic(err)
	}
	fmt.Println(y.Passport.Score) // read: passport.score
}
