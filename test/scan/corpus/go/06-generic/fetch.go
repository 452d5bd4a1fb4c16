package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

const v1 = "https://api.example.com/api/v1"

func getJSON[T any](url string) (T, error) {
	var out T
	resp, err := http.Get(url)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return out, fmt.Errorf("decode: %w", err)
	}
	return out, nil
}

type holder struct {
	Passport struct {
		Merged  bool `json:"merged"`
		Socials []struct {
			Source    string `json:"source"`
			Followers string `json:"follower_count"`
		} `json:"passport_socials"`
	} `json:"passport"`
}

func sources(id string) ([]string, error) {
	h, err := getJSON[holder](v1 + "/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	var names []string
	for _, social := range h.Passport.Socials { // read: passport.passport_socials
		names = append(names, social.Source+":"+social.Followers) // read: passport.passport_socials[].source, passport.passport_socials[].follower_count
	}
	if h.Passport.Merged { // read: passport.merged
		return names[:1], nil
	}
	return names, nil
}
