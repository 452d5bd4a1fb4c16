package main

import (
	"encoding/json"
	"net/http"
	"strings"
)

type profile struct {
	DisplayName string `json:"display_name"`
}

type passport struct {
	PassportID int     `json:"passport_id"`
	Score      float64 `json:"score"`
	Profile    profile `json:"passport_profile"`
}

var all = []passport{{1, 90, profile{"Ana"}}, {2, 40, profile{"Rui"}}}

func list(w http.ResponseWriter, r *http.Request) {
	var hits []passport
	for _, p := range all {
		if strings.Contains(p.Profile.DisplayName, r.URL.Query().Get("keyword")) && p.Score > 0 {
			hits = append(hits, p)
		}
	}
	json.NewEncoder(w).Encode(map[string]any{"passports": hits, "pagination": map[string]int{"total": len(hits)}})
}

func main() {
	http.HandleFunc("/api/v1/passports", list)
	http.HandleFunc("/api/v1/passport_credentials", http.NotFound)
	http.ListenAndServe(":9000", nil)
}
