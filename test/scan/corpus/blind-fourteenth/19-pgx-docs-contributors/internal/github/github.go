package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type Client struct{ Token string }

type Contributor struct {
	ID            int64  `json:"id"`
	Login         string `json:"login"`
	Type          string `json:"type"`
	Contributions int    `json:"contributions"`
}

func (c Client) Contributors(ctx context.Context, repo string) ([]Contributor, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.github.com/repos/"+repo+"/contributors?per_page=100", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("github: %s", res.Status)
	}
	var out []Contributor
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}
