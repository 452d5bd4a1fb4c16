package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Permit struct {
	Number   string `json:"number"`
	Category string `json:"category"`
	Score    int    `json:"inspection_score"`
}

type PermitClient struct {
	HTTP *http.Client
	URL  string
}

func (p *PermitClient) For(ctx context.Context, holder string) (*Permit, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", p.URL+"/permits?holder="+url.QueryEscape(holder), nil)
	if err != nil {
		return nil, err
	}
	resp, err := p.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("permits: %s", resp.Status)
	}
	var permit Permit
	return &permit, json.NewDecoder(resp.Body).Decode(&permit)
}
