package mapwalk

import (
	"encoding/json"
	"io"
	"net/http"
)

const endpoint = "https://rep.example.org/api/v1/passports/"

func document(id string) map[string]interface{} {
	resp, err := http.Get(endpoint + id) // call: passport
	if err != nil { // hazard: catch-default
		return map[string]interface{}{}
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body) // hazard: catch-default
	var doc map[string]interface{}
	json.Unmarshal(raw, &doc) // hazard: catch-default
	return doc
}

func Score(id string) float64 {
	passport, _ := document(id)["passport"].(map[string]interface{})
	score, _ := passport["score"].(float64) // read: passport.score; hazard: fallback-default
	return score
}

func Sources(id string) []string {
	passport, ok := document(id)["passport"].(map[string]interface{})
	if !ok {
		return nil
	}
	var out []string
	for _, s := range passport["passport_socials"].([]interface{}) { // read: passport.passport_socials
		social := s.(map[string]interface{})
		out = append(out, social["source"].(string)+":"+social["profile_display_name"].(string)) // read: passport.passport_socials[].source, passport.passport_socials[].profile_display_name
	}
	return out
}

func Temperature(sensor map[string]interface{}) float64 {
	score, _ := sensor["score"].(float64)
	return score
}
