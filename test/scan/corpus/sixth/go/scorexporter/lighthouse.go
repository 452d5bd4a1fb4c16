package main

import (
	"encoding/json"
	"net/http"
	"net/url"
)

// pageScore asks the web-vitals service; its score has nothing to do with passports.
type pageScore struct {
	ID       string  `json:"id"`
	Score    float64 `json:"score"`
	Category string  `json:"category"`
}

func loadPageScores(site string) []pageScore {
	resp, err := http.Get("https://vitals.example/api/v1/audits?url=" + url.QueryEscape(site))
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	var audits struct {
		Audits []pageScore `json:"audits"`
	}
	json.NewDecoder(resp.Body).Decode(&audits)
	for i := range audits.Audits {
		if audits.Audits[i].Category == "seo" {
			audits.Audits[i].Score *= 100
		}
	}
	return audits.Audits
}
