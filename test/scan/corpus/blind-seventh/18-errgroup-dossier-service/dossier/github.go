package dossier

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// githubUser is GitHub's own record, it has nothing to do with the passport.
type githubUser struct {
	Login     string `json:"login"`
	Name      string `json:"name"`
	Bio       string `json:"bio"`
	Location  string `json:"location"`
	Followers int    `json:"followers"`
}

func (s *Service) github(ctx context.Context, login string) (*githubUser, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", "https://api.github.com/users/"+login, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.githubToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("github: %s", resp.Status)
	}
	var u githubUser
	return &u, json.NewDecoder(resp.Body).Decode(&u)
}
