package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Rule is an entry of rules.json.
type Rule struct {
	Name     string  `json:"name"`
	Source   string  `json:"source"`
	MinScore float64 `json:"score"`
	Tag      string  `json:"tag"`
	Channel  string  `json:"channel"`
}

func Load(path string) ([]Rule, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rules []Rule
	if err := json.Unmarshal(b, &rules); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rules, nil
}

// Event is what leaves the worker.
type Event map[string]any

func (r Rule) Match(e Event) bool {
	if s, ok := e["points"].(float64); !ok || s < r.MinScore {
		return false
	}
	if r.Source != "" {
		networks, _ := e["networks"].([]string)
		if !strings.Contains(strings.Join(networks, ","), r.Source) {
			return false
		}
	}
	if r.Tag == "" {
		return true
	}
	topics, _ := e["topics"].([]string)
	for _, t := range topics {
		if strings.EqualFold(t, r.Tag) {
			return true
		}
	}
	return false
}
