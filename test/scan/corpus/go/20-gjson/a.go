package main

import (
	"fmt"
	"io"
	"net/http"

	"github.com/tidwall/gjson"
)

func main() {
	resp, err := http.Get("https://rep.example.org/api/v1/passports/9") // call: passport
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(gjson.GetBytes(body, "passport.score").Float()) // read: passport.score
	doc := gjson.ParseBytes(body)
	fmt.Println(doc.Get("passport.passport_profile.bio").String()) // read: passport.passport_profile.bio
	for _, s := range doc.Get("passport.passport_socials").Array() { // read: passport.passport_socials
		fmt.Println(s.Get("source").String()) // read: passport.passport_socials[].source
	}
	doc.Get("passport.passport_socials").ForEach(func(_, s gjson.Result) bool { // read: passport.passport_socials
		fmt.Println(s.Get("profile_url").Str) // read: passport.passport_socials[].profile_url
		return true
	})
	names := gjson.Get(string(body), "passport.passport_socials.#.profile_name") // read: passport.passport_socials[].profile_name
	fmt.Println(names.Array())
	for _, w := range doc.Get("passport").Get("verified_wallets").Array() { // read: passport.verified_wallets[]
		fmt.Println(w)
	}
	many := gjson.GetManyBytes(body, "passport.merged", "passport.main_wallet") // read: passport.merged, passport.main_wallet
	fmt.Println(many)
}
