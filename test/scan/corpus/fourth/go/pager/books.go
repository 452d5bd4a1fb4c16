package main

import (
	"encoding/json"
	"net/http"
)

type shelf struct {
	Books []struct {
		Score float64 `json:"score"`
	} `json:"books"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}

func books() (float64, int) {
	resp, err := http.Get("https://books.example.com/api/v1/books")
	if err != nil {
		return 0, 0
	}
	defer resp.Body.Close()
	var s shelf
	_ = json.NewDecoder(resp.Body).Decode(&s)
	return s.Books[0].Score, s.Pagination.Total
}
