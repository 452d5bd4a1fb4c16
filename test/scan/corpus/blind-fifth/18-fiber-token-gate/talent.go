package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

type passport struct {
	PassportID     int     `json:"passport_id"`
	Score          float64 `json:"score"`
	IdentityScore  float64 `json:"identity_score"`
	HumanCheckmark bool    `json:"human_checkmark"`
	Merged         bool    `json:"merged"`
	PassportProfile *struct {
		DisplayName string `json:"display_name"`
		Bio         string `json:"bio"`
	} `json:"passport_profile"`
}

var talentBase = os.Getenv("TALENT_API") + "/api/v1"

func talentGet(url string) (*http.Response, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Add("X-API-KEY", os.Getenv("TALENT_API_KEY"))
	return http.DefaultClient.Do(req)
}

func fetchPassport(wallet string) (*passport, error) {
	resp, err := talentGet(talentBase + "/passports/" + wallet)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()

	var out struct {
		Passport *passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	if out.Passport == nil {
		return &passport{}, nil
	}
	return out.Passport, nil
}

func fetchScore(wallet string) float64 {
	p, err := fetchPassport(wallet)
	if err != nil {
		log.Printf("fetchScore %s: %v", wallet, err)
		return 0
	}
	return p.Score
}

func hasCredential(passportID int, kind string) (bool, error) {
	resp, err := talentGet(fmt.Sprintf("%s/passport_credentials?passport_id=%d", talentBase, passportID))
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return false, fmt.Errorf("credentials: status %d", resp.StatusCode)
	}

	var out struct {
		Credentials []struct {
			Type  string  `json:"type"`
			Score float64 `json:"score"`
			Value string  `json:"value"`
		} `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return false, err
	}
	for _, c := range out.Credentials {
		if c.Type == kind && (c.Score > 0 || c.Value == "Verified") {
			return true, nil
		}
	}
	return false, nil
}
