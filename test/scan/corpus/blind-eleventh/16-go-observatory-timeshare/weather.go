package main

import (
	"encoding/json"
	"net/http"
)

type weather struct{ http *http.Client }

const forecastURL = "https://api.open-meteo.com/v1/forecast?latitude=54.2&longitude=-1.4&hourly=cloud_cover"

func (s *server) tonight(w http.ResponseWriter, r *http.Request) {
	res, err := s.weather.http.Get(forecastURL)
	if err != nil {
		http.Error(w, "no forecast", http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	var f struct {
		Hourly struct {
			Cloud []int `json:"cloud_cover"`
		} `json:"hourly"`
	}
	if err := json.NewDecoder(res.Body).Decode(&f); err != nil || len(f.Hourly.Cloud) < 24 {
		http.Error(w, "no forecast", http.StatusBadGateway)
		return
	}
	writeJSON(w, map[string]any{"score": 100 - f.Hourly.Cloud[22]})
}
