package talent

import (
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

const apiBase = "https://api.talentprotocol.com/api/v1"

var httpClient = &http.Client{Timeout: 10 * time.Second}

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Tags        []string `json:"tags"`
}

type Passport struct {
	ID            int      `json:"passport_id"`
	Score         float64  `json:"score"`
	ActivityScore float64  `json:"activity_score"`
	Human         bool     `json:"human_checkmark"`
	Wallets       []string `json:"verified_wallets"`
	Profile       *Profile `json:"passport_profile"`
}

type passportResponse struct {
	Passport Passport `json:"passport"`
}

type listResponse struct {
	Passports  []Passport `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}

func getJSON(u string, out any) error {
	req, err := http.NewRequest(http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", os.Getenv("TALENT_API_KEY"))
	resp, err := httpClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

// Get returns the passport of a wallet or passport id.
func Get(id string) (*Passport, error) {
	var body passportResponse
	if err := getJSON(apiBase+"/passports/"+url.PathEscape(id), &body); err != nil {
		return nil, err
	}
	return &body.Passport, nil
}

// Search returns one page of passports and the number of all.
func Search(keyword string) ([]Passport, int) {
	q := url.Values{}
	q.Set("keyword", keyword)
	var body listResponse
	if err := getJSON(apiBase+"/passports?"+q.Encode(), &body); err != nil {
		log.Printf("talent search %q: %v", keyword, err)
		return nil, 0
	}
	return body.Passports, body.Pagination.Total
}
