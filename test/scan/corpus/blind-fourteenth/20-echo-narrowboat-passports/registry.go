package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Boat struct {
	Name        string `json:"name"`
	HomeMooring string `json:"home_mooring"`
	Length      int    `json:"length"`
	Survey      struct {
		Score    float64 `json:"score"`
		Category string  `json:"category"`
	} `json:"survey"`
}

type Registry struct {
	base, key string
}

func NewRegistry(base, key string) *Registry {
	if base == "" {
		base = "https://registry.waterways.example"
	}
	return &Registry{base: base, key: key}
}

func (r *Registry) Lookup(ctx context.Context, licence string) (*Boat, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/api/v1/boats/"+url.PathEscape(licence), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", r.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("registry: %s", res.Status)
	}
	var b Boat
	if err := json.NewDecoder(res.Body).Decode(&b); err != nil {
		return nil, err
	}
	return &b, nil
}
