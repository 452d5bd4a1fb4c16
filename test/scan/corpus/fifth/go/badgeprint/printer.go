package main

import (
	"encoding/json"
	"net/http"
)

// printerInfo belongs to the print server, whose API also has scores.
type printerInfo struct {
	Score    float64 `json:"score"`
	Location string  `json:"location"`
}

func printers() ([]printerInfo, error) {
	resp, err := http.Get("https://print.example.com/api/v1/printers")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out []printerInfo
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}
