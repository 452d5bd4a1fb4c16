package visaoffice

import (
	"encoding/json"
	"net/http"
)

// Passport is a booklet. See the ministry's manual; this is not the
// reputation record behind /api/v1/passports.
type Passport struct {
	PassportID int    `json:"passport_id"`
	Merged     bool   `json:"merged"`
	Location   string `json:"location"`
	Score      int    `json:"score"`
}

func Find(number string) (*Passport, error) {
	resp, err := http.Get("https://visa.example.gov/v1/passport/" + number)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body struct {
		Passport Passport `json:"passport"`
	}
	err = json.NewDecoder(resp.Body).Decode(&body)
	return &body.Passport, err
}

func Risk(number string) int {
	p, err := Find(number)
	if err != nil || p.Merged {
		return 0
	}
	return p.Score + len(p.Location)
}
