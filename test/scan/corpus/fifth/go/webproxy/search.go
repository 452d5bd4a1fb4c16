package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
)

type hit struct {
	ID    int    `json:"passport_id"` // hazard: integer-id
	Since string `json:"last_calculated_at"`
}

func searchHandler(w http.ResponseWriter, r *http.Request) {
	target, err := url.Parse(os.Getenv("UPSTREAM"))
	if err != nil {
		http.Error(w, "config", http.StatusInternalServerError)
		return
	}
	target = target.JoinPath("api", "v1", "passports")
	target.RawQuery = url.Values{"keyword": r.URL.Query()["q"]}.Encode()
	resp, err := http.Get(target.String()) // call: passport-list
	if err != nil {
		http.Error(w, "upstream", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var page struct {
		Hits []hit `json:"passports"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		http.Error(w, "upstream", http.StatusBadGateway)
		return
	}
	index := map[int]string{}
	for _, h := range page.Hits {
		index[h.ID] = h.Since // read: passports[].last_calculated_at, passports[].passport_id
	}
	json.NewEncoder(w).Encode(index)
}
