package main

import (
	"encoding/json"
	"io"
	"net/http"
)

const endpoint = "https://api.example.com/api/v1/passports/"

func lookup(id string) (float64, string) {
	resp, err := http.Get(endpoint + id) // call: passport
	if err != nil { // hazard: catch-default
		return 0, ""
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body) // hazard: catch-default
	var body map[string]any
	json.Unmarshal(raw, &body) // hazard: catch-default
	passport := body["passport"].(map[string]any)
	score, ok := passport["score"].(float64) // read: passport.score
	if !ok {
		return -1, ""
	}
	profile := passport["passport_profile"].(map[string]interface{}) // read: passport.passport_profile
	return score, profile["display_name"].(string) // read: passport.passport_profile.display_name
}
