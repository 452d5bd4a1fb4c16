package main

import (
	"context"
	"strings"
)

type payment struct {
	ID, Payer, Currency string
	Amount              float64
}

type enriched struct {
	payment
	Euro        float64  `json:"euro"`
	PayerName   string   `json:"payer_name"`
	Score       float64  `json:"score"`
	Trusted     bool     `json:"trusted"`
	Networks    []string `json:"networks"`
	Credentials []string `json:"credentials"`
}

func enrich(ctx context.Context, l *lookup, p payment) (enriched, error) {
	out := enriched{payment: p}
	quote, err := l.euro(ctx, p.Currency)
	if err != nil {
		return out, err
	}
	out.Euro = p.Amount * quote

	record := l.passport(ctx, p.Payer)
	out.Score, _ = record["score"].(float64)
	human, _ := record["human_checkmark"].(bool)
	out.Trusted = human && out.Score > 50 && isVerified(record, p.Payer)
	if profile, ok := record["passport_profile"].(map[string]any); ok {
		out.PayerName, _ = profile["display_name"].(string)
	}
	out.Networks = networks(record)
	if id, ok := record["passport_id"].(float64); ok {
		out.Credentials = l.credentialTypes(ctx, id)
	}
	return out, nil
}

func isVerified(record object, wallet string) bool {
	wallets, _ := record["verified_wallets"].([]any)
	for _, w := range wallets {
		if s, ok := w.(string); ok && strings.EqualFold(s, wallet) {
			return true
		}
	}
	return false
}

func networks(record object) []string {
	var out []string
	socials, _ := record["passport_socials"].([]any)
	for _, raw := range socials {
		social := raw.(object)
		if social["profile_name"] != nil {
			out = append(out, social["source"].(string))
		}
	}
	return out
}
