package scan

import (
	"encoding/json"
	"net/http"
)

type Passport struct {
	Number   string `json:"number"`
	Location string `json:"location"`
	Score    int    `json:"score"`
}

func Read(id string) (p Passport) {
	resp, err := http.Get("https://border.example.org/api/v1/passport-scans/" + id)
	if err != nil {
		return
	}
	json.NewDecoder(resp.Body).Decode(&p)
	return
}
