package graph

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

type upstreamPerson struct {
	PassportId       int     `json:"passport_id"` // hazard: integer-id
	Score            float64 `json:"score"`
	HumanCheckmark   bool    `json:"human_checkmark"`
	LastCalculatedAt *string `json:"last_calculated_at"`
	PassportProfile  *struct {
		Bio         string `json:"bio"`
		DisplayName string `json:"display_name"`
		Location    string `json:"location"`
	} `json:"passport_profile"`
}

type Upstream struct {
	Base *url.URL
	Key  string
}

func (u *Upstream) search(ctx context.Context, name string) ([]upstreamPerson, error) {
	target := u.Base.JoinPath("api", "v1", "passports")
	target.RawQuery = url.Values{"keyword": []string{name}}.Encode()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), http.NoBody) // call: passport-list
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", u.Key)

	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK { // hazard: status-default
		return []upstreamPerson{}, nil
	}
	var body struct {
		Passports []upstreamPerson `json:"passports"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	return body.Passports, nil
}
