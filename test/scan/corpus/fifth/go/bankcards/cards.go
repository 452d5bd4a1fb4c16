package bankcards

import (
	"encoding/json"
	"fmt"
	"net/http"
)

const bank = "https://bank.example.com/api/v1"

// The bank keeps scans of customers' passports, each with a quality score.
func Scans(customer string) []string {
	resp, err := http.Get(fmt.Sprintf("%s/passports/%s/scans", bank, customer))
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	var doc map[string]interface{}
	_ = json.NewDecoder(resp.Body).Decode(&doc)
	var out []string
	for _, raw := range doc["passports"].([]interface{}) {
		scan := raw.(map[string]interface{})
		score, _ := scan["score"].(float64)
		out = append(out, fmt.Sprint(scan["source"], scan["passport_id"], score))
	}
	return out
}
