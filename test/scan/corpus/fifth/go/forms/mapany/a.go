package a

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func getMap(path string) (map[string]any, error) {
	resp, err := http.Get("https://h" + path)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var m map[string]any
	return m, json.NewDecoder(resp.Body).Decode(&m)
}

func str(m map[string]any, k string) string {
	s, _ := m[k].(string)
	return s
}

func dig(v any, keys ...string) any {
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

func main() {
	m, err := getMap("/api/v1/passports/7") // call: passport
	if err != nil {
		panic(err)
	}
	p := m["passport"].(map[string]any)
	fmt.Println(str(p, "main_wallet")) // read: passport.main_wallet
	prof, ok := p["passport_profile"].(map[string]any) // read: passport.passport_profile
	if ok {
		fmt.Println(prof["bio"]) // read: passport.passport_profile.bio
	}
	fmt.Println(dig(m, "passport", "passport_profile", "location")) // read: passport.passport_profile.location
	socials, _ := p["passport_socials"].([]any) // read: passport.passport_socials
	for _, raw := range socials {
		s := raw.(map[string]any)
		switch v := s["follower_count"].(type) { // read: passport.passport_socials[].follower_count
		case string:
			fmt.Println(v)
		}
	}
	if v, ok := p["score"]; ok { // read: passport.score
		fmt.Println(v)
	}
	for _, k := range []string{"activity_score", "skills_score"} { // read: passport.activity_score, passport.skills_score
		fmt.Println(p[k])
	}
}
