package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
)

// credentialSums returns points per category; a passport without an answer has none.
func credentialSums(id int) map[string]float64 {
	sums := map[string]float64{}
	resp, err := http.Get(os.Getenv("REP_BASE") + "/api/v1/passport_credentials?passport_id=" + strconv.Itoa(id)) // call: passport-credentials
	if err != nil { // hazard: catch-default
		return sums
	}
	defer resp.Body.Close()

	var body struct {
		Rows []map[string]any `json:"passport_credentials"`
	}
	_ = json.NewDecoder(resp.Body).Decode(&body) // hazard: catch-default
	for _, c := range body.Rows {
		category, _ := c["category"].(string) // read: passport_credentials[].category
		points, _ := c["score"].(float64) // read: passport_credentials[].score; hazard: fallback-default
		if extra, err := strconv.ParseFloat(c["value"].(string), 64); err == nil { // read: passport_credentials[].value; hazard: string-number
			points += extra
		}
		sums[category] += points
	}
	return sums
}

// oldExport reads a file written by last year's tool.
func oldExport(in io.Reader) (map[string]float64, error) {
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, err
	}
	sums := map[string]float64{}
	for _, r := range rows {
		score, _ := strconv.ParseFloat(r[1], 64)
		sums[r[0]] += score
	}
	return sums, nil
}
