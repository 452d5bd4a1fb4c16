package main

import "github.com/go-resty/resty/v2"

type proof struct {
	Category string  `json:"category"`
	Max      float64 `json:"max_score"`
	Score    float64 `json:"score"`
}

func proofs(client *resty.Client, passportID string) map[string]float64 {
	var out struct {
		List []proof `json:"passport_credentials"`
	}
	resp, err := client.R().SetResult(&out).SetQueryParams(map[string]string{"passport_id": passportID}).Get("/api/v1/passport_credentials") // call: passport-credentials
	if err != nil || resp.StatusCode() != 200 { // hazard: catch-default, status-default
		return map[string]float64{}
	}
	shares := map[string]float64{}
	for _, p := range out.List {
		shares[p.Category] += p.Score / p.Max // read: passport_credentials[].category, passport_credentials[].score, passport_credentials[].max_score
	}
	return shares
}
