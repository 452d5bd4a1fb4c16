// Package badges reads Open Badges (v2) from a backpack.
package badges

import (
	"context"
	"encoding/json"
	"net/http"
)

type Assertion struct {
	ID         string `json:"entityId"`
	BadgeClass struct {
		Name  string   `json:"name"`
		Image string   `json:"image"`
		Tags  []string `json:"tags"`
	} `json:"badgeclass"`
	IssuedOn string `json:"issuedOn"`
	Revoked  bool   `json:"revoked"`
}

func Load(ctx context.Context, base, bearer string) ([]Assertion, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/v2/backpack/assertions", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+bearer)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var page struct {
		Result []Assertion `json:"result"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		return nil, err
	}
	return page.Result, nil
}
