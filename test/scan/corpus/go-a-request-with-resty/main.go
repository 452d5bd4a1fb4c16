package main

import (
	"log"

	"github.com/go-resty/resty/v2"
)

type listAnswer struct {
	Passports []struct {
		ID       string  `json:"passport_id"`
		Activity float64 `json:"activity_score"`
	} `json:"passports"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}

func main() {
	client := resty.New().SetBaseURL("https://api.example.com/api/v1").SetHeader("X-API-KEY", "k")
	var answer listAnswer
	_, err := client.R().SetQueryParam("keyword", "ada").SetResult(&answer).Get("/passports") // call: passport-list
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range answer.Passports {
		log.Println(p.ID, p.Activity) // read: passports[].passport_id, passports[].activity_score
	}
	log.Println(answer.Pagination.Total) // read: pagination.total
}
