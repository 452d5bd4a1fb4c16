package search

import (
	"encoding/json"
	"net/http"
	"net/url"
)

func Names(base, keyword string) ([]string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	u = u.JoinPath("api", "v1", "passports")
	q := u.Query()
	q.Set("keyword", keyword)
	u.RawQuery = q.Encode()
	req, _ := http.NewRequest("GET", u.String(), nil) // call: passport-list
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct {
		Passports []struct {
			Profile struct {
				DisplayName string `json:"display_name"`
			} `json:"passport_profile"`
		} `json:"passports"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	var names []string
	for _, p := range out.Passports {
		names = append(names, p.Profile.DisplayName) // read: passports[].passport_profile.display_name
	}
	return names, nil
}
