package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

type passport struct {
	PassportID      int     `json:"passport_id"`
	Score           float64 `json:"score"`
	HumanCheckmark  bool    `json:"human_checkmark"`
	PassportProfile struct {
		DisplayName string `json:"display_name"`
	} `json:"passport_profile"`
	PassportSocials []struct {
		Source      string `json:"source"`
		ProfileName string `json:"profile_name"`
	} `json:"passport_socials"`
}

func baseURL() string {
	if u := os.Getenv("TALENT_URL"); u != "" {
		return u
	}
	return "https://api.talentprotocol.com"
}

func fetch(url string) ([]byte, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Add("X-API-KEY", os.Getenv("TALENT_API_KEY"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode >= 400 {
		return nil, fmt.Errorf("%s: %s", url, res.Status)
	}
	return io.ReadAll(res.Body)
}

func fetchPassport(wallet string) *passport {
	body, err := fetch(fmt.Sprintf("%s/api/v1/passports/%s", baseURL(), wallet))
	if err != nil {
		fmt.Fprintln(os.Stderr, "warn:", err)
		return nil
	}
	var r struct {
		Passport *passport `json:"passport"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil
	}
	return r.Passport
}

func countCredentials(id int) int {
	body, err := fetch(fmt.Sprintf("%s/api/v1/passport_credentials?passport_id=%d", baseURL(), id))
	if err != nil {
		return 0
	}
	var r struct {
		Credentials []struct {
			EarnedAt *string `json:"earned_at"`
		} `json:"passport_credentials"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return 0
	}
	n := 0
	for _, c := range r.Credentials {
		if c.EarnedAt != nil {
			n++
		}
	}
	return n
}
