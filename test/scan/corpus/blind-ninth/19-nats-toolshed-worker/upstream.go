package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

type object = map[string]any

var reputationBase = strings.TrimRight(os.Getenv("REPUTATION_BASE"), "/") + "/api/v1"

func load(ctx context.Context, format string, args ...any) (object, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, reputationBase+fmt.Sprintf(format, args...), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", os.Getenv("REPUTATION_KEY"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusUnauthorized {
		return object{}, nil
	}
	if res.StatusCode >= 300 {
		return nil, fmt.Errorf("reputation answered %d", res.StatusCode)
	}
	var body object
	err = json.NewDecoder(res.Body).Decode(&body)
	return body, err
}

func lookup(ctx context.Context, wallet string) object {
	body, err := load(ctx, "/passports/%s", wallet)
	if err != nil {
		log.Printf("lookup %s: %v", wallet, err)
		return nil
	}
	record, _ := body["passport"].(object)
	return record
}

func licences(ctx context.Context, wallet string) (names []string) {
	body, err := load(ctx, "/passport_credentials?passport_id=%s", wallet)
	if err != nil {
		return nil
	}
	for _, item := range list(body, "passport_credentials") {
		c := item.(object)
		if text(c, "category") != "Identity" || number(c, "score") == 0 {
			continue
		}
		names = append(names, text(c, "name")+": "+text(c, "value"))
	}
	return names
}

func headcount(ctx context.Context, keyword string) (string, error) {
	body, err := load(ctx, "/passports?keyword=%s", keyword)
	if err != nil {
		return "", err
	}
	humans := 0
	for _, item := range list(body, "passports") {
		if p := item.(object); truth(p, "human_checkmark") {
			humans++
		}
	}
	pages, _ := body["pagination"].(object)
	return fmt.Sprintf("%.0f makers, %d human on the first page", number(pages, "total"), humans), nil
}
