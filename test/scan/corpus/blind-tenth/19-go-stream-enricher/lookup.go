package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"

	"golang.org/x/time/rate"
)

type object = map[string]any

type lookup struct {
	cfg     config
	limiter *rate.Limiter
	seen    sync.Map
}

func (l *lookup) getJSON(ctx context.Context, address string) (object, error) {
	if err := l.limiter.Wait(ctx); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", l.cfg.TalentKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out object
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

func (l *lookup) passport(ctx context.Context, wallet string) object {
	if hit, ok := l.seen.Load(wallet); ok {
		return hit.(object)
	}
	body, err := l.getJSON(ctx, l.cfg.TalentAPI+"/passports/"+url.PathEscape(wallet))
	if err != nil {
		slog.Warn("lookup failed", "wallet", wallet, "err", err)
		return object{}
	}
	record, ok := body["passport"].(object)
	if !ok {
		return object{}
	}
	l.seen.Store(wallet, record)
	return record
}

func (l *lookup) credentialTypes(ctx context.Context, id float64) []string {
	body, err := l.getJSON(ctx, fmt.Sprintf("%s/passport_credentials?passport_id=%.0f", l.cfg.TalentAPI, id))
	if err != nil {
		return nil
	}
	items, _ := body["passport_credentials"].([]any)
	types := make([]string, 0, len(items))
	for _, item := range items {
		credential, ok := item.(object)
		if !ok || credential["earned_at"] == nil {
			continue
		}
		if kind, ok := credential["type"].(string); ok {
			types = append(types, kind)
		}
	}
	return types
}

func (l *lookup) euro(ctx context.Context, currency string) (float64, error) {
	resp, err := http.Get(l.cfg.RatesAPI + "/latest?symbols=EUR&base=" + url.QueryEscape(currency))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("rates: %s", resp.Status)
	}
	var quote struct {
		Rates map[string]float64 `json:"rates"`
	}
	err = json.NewDecoder(resp.Body).Decode(&quote)
	return quote.Rates["EUR"], err
}
