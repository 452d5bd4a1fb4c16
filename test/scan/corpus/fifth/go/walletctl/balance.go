package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
)

// balance asks the block explorer, which wraps numbers in strings too.
func balance(wallet string) int {
	resp, err := http.Get(os.Getenv("EXPLORER") + "/api/v1/accounts/" + wallet)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	var out map[string]any
	_ = json.NewDecoder(resp.Body).Decode(&out)
	score, _ := out["score"].(float64)
	value, _ := out["value"].(string)
	n, _ := strconv.Atoi(value)
	return n + int(score)
}
