package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

type M = map[string]any

func call(path string) (M, error) {
	resp, err := http.Get(os.Getenv("BASE") + path)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var m M
	return m, json.Unmarshal(b, &m)
}

func num(m M, key string) float64 {
	f, _ := m[key].(float64) // hazard: fallback-default
	return f
}

func str(m map[string]any, keys ...string) string {
	for _, k := range keys {
		if s, ok := m[k].(string); ok {
			return s
		}
	}
	return ""
}

func main() {
	m, err := call("/api/v1/passports/4") // call: passport
	if err != nil {
		panic(err)
	}
	p := m["passport"].(M)
	fmt.Println(num(p, "score")) // read: passport.score
	switch v := p["passport_id"].(type) { // read: passport.passport_id
	case float64:
		fmt.Println(v)
	}
	prof, ok := p["passport_profile"].(M) // read: passport.passport_profile
	if !ok {
		return
	}
	fmt.Println(prof["bio"], prof["location"].(string)) // read: passport.passport_profile.bio, passport.passport_profile.location
	tags, _ := prof["tags"].([]any) // read: passport.passport_profile.tags[]
	for _, t := range tags {
		fmt.Println(t.(string))
	}
	c, err := call("/api/v1/passport_credentials?passport_id=4") // call: passport-credentials
	if err != nil {
		panic(err)
	}
	for i, raw := range c["passport_credentials"].([]any) {
		cred := raw.(map[string]any)
		fmt.Println(i, cred["name"], cred["earned_at"]) // read: passport_credentials[].name, passport_credentials[].earned_at
		if score, ok := cred["score"].(float64); ok { // read: passport_credentials[].score
			fmt.Println(score)
		}
	}
	var other M
	json.Unmarshal([]byte(`{"score":1}`), &other)
	fmt.Println(num(other, "points"), other["score"])
}
