package main

import "strings"

const fullDeposit = 150.0

// deposit is what a new borrower leaves for power tools.
func deposit(record map[string]any) float64 {
	if record == nil {
		return fullDeposit
	}
	rate := 1.0
	if truth(record, "human_checkmark") {
		rate -= 0.3
	}
	switch s := number(record, "identity_score"); {
	case s > 80:
		rate -= 0.5
	case s > 30:
		rate -= 0.2
	}
	if len(list(record, "verified_wallets")) > 1 {
		rate -= 0.1
	}
	return fullDeposit * rate
}

// handle prefers the network where borrowers are reachable.
func handle(record map[string]any) string {
	for _, raw := range list(record, "passport_socials") {
		social, ok := raw.(map[string]any)
		if ok && strings.EqualFold(text(social, "source"), "farcaster") {
			return text(social, "profile_name")
		}
	}
	return ""
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func number(m map[string]any, key string) float64 {
	n, _ := m[key].(float64)
	return n
}

func truth(m map[string]any, key string) bool {
	b, _ := m[key].(bool)
	return b
}

func list(m map[string]any, key string) []any {
	l, _ := m[key].([]any)
	return l
}
