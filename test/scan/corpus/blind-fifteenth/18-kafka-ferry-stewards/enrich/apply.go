package enrich

import (
	"time"

	"gitlab.com/islandlines/steward-enricher/store"
)

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// Apply copies what the crew office wants to see.
func Apply(row *store.Steward, doc Document) {
	row.PassportID, _ = doc["passport_id"].(float64)
	row.Score, _ = doc["score"].(float64)
	row.Human, _ = doc["human_checkmark"].(bool)
	row.Wallet = str(doc, "main_wallet")

	if at, err := time.Parse(time.RFC3339, str(doc, "last_calculated_at")); err == nil {
		row.ScoredAt = &at
	}
	if profile, ok := doc["passport_profile"].(map[string]any); ok {
		if n := str(profile, "display_name"); n != "" {
			row.Name = n
		}
		row.Home = str(profile, "location")
	}
	socials, _ := doc["passport_socials"].([]any)
	for _, entry := range socials {
		s, _ := entry.(map[string]any)
		switch str(s, "source") {
		case "linkedin":
			row.LinkedIn = str(s, "profile_url")
		case "farcaster":
			row.Farcaster = str(s, "profile_name")
		}
	}
}
