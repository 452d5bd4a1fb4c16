package groupfetch

import (
	"encoding/json"
	"net/http"
)

// Answers of the quiz service, not of GET /api/v1/passport_credentials.
type answer struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
}

func quiz(id string) (float64, error) {
	resp, err := http.Get("https://quiz.example.com/api/v1/answers/" + id)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var a answer
	err = json.NewDecoder(resp.Body).Decode(&a)
	if a.Category == "hard" {
		return a.Score * 2, err
	}
	return a.Score, err
}
