package joinpath

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
)

var root = envOr("REP_ROOT", "https://rep.example.org/api/v1")

func envOr(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

type Row struct {
	SkillsScore      float64 `json:"skills_score"`
	ConnectionsCount int     `json:"connections_count"`
	MainWallet       string  `json:"main_wallet"`
	PassportSocials  []struct {
		ProfileName string `json:"profile_name"`
		ProfileBio  string `json:"profile_bio"`
	} `json:"passport_socials"`
}

func fetch(id string) (row Row, err error) {
	u, err := url.JoinPath(root, "passports", id)
	if err != nil {
		return row, err
	}
	res, err := http.Get(u) // call: passport
	if err != nil {
		return row, err
	}
	defer res.Body.Close()
	var env struct {
		Passport *Row `json:"passport"`
	}
	if err = json.NewDecoder(res.Body).Decode(&env); err != nil {
		return row, err
	}
	return *env.Passport, nil
}
