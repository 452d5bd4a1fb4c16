package genericget

import (
	"encoding/json"
	"fmt"
	"net/http"
)

var base = "https://rep.example.org/api/v1"

func get[T any](path string) (T, error) {
	var out T
	resp, err := http.Get(base + path)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return out, fmt.Errorf("status %d", resp.StatusCode)
	}
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}

func first[T any](items []T) (T, bool) {
	var zero T
	if len(items) == 0 {
		return zero, false
	}
	return items[0], true
}
