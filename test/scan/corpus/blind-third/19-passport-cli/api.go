package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/go-playground/validator/v10"
)

const apiURL = "https://api.talentprotocol.com/api/v1"

var validate = validator.New()

type credential struct {
	ID       string  `json:"id" validate:"required"`
	Category string  `json:"category" validate:"required"`
	Name     string  `json:"name"`
	Type     string  `json:"type" validate:"required"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	Value    *string `json:"value,omitempty"`
	EarnedAt string  `json:"earned_at,omitempty"`
}

type credentialsResponse struct {
	Credentials []credential `json:"passport_credentials" validate:"dive"`
}

type passport struct {
	PassportID    int      `json:"passport_id" validate:"required"`
	Score         int      `json:"score"`
	ActivityScore int      `json:"activity_score"`
	IdentityScore int      `json:"identity_score"`
	SkillsScore   int      `json:"skills_score"`
	Wallets       []string `json:"verified_wallets" validate:"required,min=1"`
	Profile       struct {
		DisplayName string `json:"display_name"`
		Location    string `json:"location"`
	} `json:"passport_profile"`
}

func getJSON(rawURL string, v any) error {
	req, err := http.NewRequest("GET", rawURL, nil)
	if err != nil {
		return err
	}
	req.Header.Add("X-API-KEY", os.Getenv("TALENT_API_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		return fmt.Errorf("decode %s: %w", rawURL, err)
	}
	return validate.Struct(v)
}

func fetchPassport(id string) (passport, error) {
	var out struct {
		Passport passport `json:"passport"`
	}
	err := getJSON(fmt.Sprintf("%s/passports/%s", apiURL, id), &out)
	return out.Passport, err
}

func fetchCredentials(passportID int) ([]credential, error) {
	u, _ := url.Parse(apiURL + "/passport_credentials")
	q := u.Query()
	q.Set("passport_id", fmt.Sprint(passportID))
	u.RawQuery = q.Encode()

	var out credentialsResponse
	if err := getJSON(u.String(), &out); err != nil {
		return nil, err
	}
	return out.Credentials, nil
}
