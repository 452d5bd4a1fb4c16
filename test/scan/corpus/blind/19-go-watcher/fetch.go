package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

var seen = map[string]bool{}

func getMap(url string) map[string]interface{} {
	req, _ := http.NewRequest("GET", url, nil)
	req.Header.Add("X-API-KEY", os.Getenv("API_KEY"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Println(err)
		return nil
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	var m map[string]interface{}
	json.Unmarshal(raw, &m)
	return m
}

func fetchScore(wallet string) float64 {
	m := getMap(fmt.Sprintf("%s/api/v1/passports/%s", os.Getenv("API_URL"), wallet))
	passport, ok := m["passport"].(map[string]interface{})
	if !ok {
		return 0
	}
	if calc, _ := passport["calculating_score"].(bool); calc {
		log.Printf("%s is being calculated", wallet)
	}
	score, _ := passport["score"].(float64)
	return score
}

func newCredentials(wallet string) []string {
	m := getMap(os.Getenv("API_URL") + "/api/v1/passport_credentials?passport_id=" + wallet)
	items, _ := m["passport_credentials"].([]interface{})
	var out []string
	for _, it := range items {
		c := it.(map[string]interface{})
		id := c["id"].(string)
		earned, _ := c["earned_at"].(string)
		at, err := time.Parse(time.RFC3339, earned)
		if seen[id] || err != nil || time.Since(at) > 48*time.Hour {
			continue
		}
		seen[id] = true
		out = append(out, c["type"].(string))
	}
	return out
}
