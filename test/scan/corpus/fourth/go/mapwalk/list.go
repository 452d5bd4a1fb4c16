package mapwalk

import (
	"encoding/json"
	"net/http"
	"net/url"
)

func Names(keyword string) ([]string, error) {
	resp, err := http.Get("https://rep.example.org/api/v1/passports?" + url.Values{"keyword": {keyword}}.Encode()) // call: passport-list
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var doc map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		return nil, err
	}
	var names []string
	for _, item := range doc["passports"].([]any) {
		p := item.(map[string]any)
		if human, ok := p["human_checkmark"].(bool); !ok || !human { // read: passports[].human_checkmark
			continue
		}
		profile := p["passport_profile"].(map[string]any) // read: passports[].passport_profile
		if name, ok := profile["display_name"].(string); ok { // read: passports[].passport_profile.display_name
			names = append(names, name)
		}
	}
	return names, nil
}
