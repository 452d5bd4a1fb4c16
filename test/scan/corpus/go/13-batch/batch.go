package batch

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

type result struct {
	id    string
	score float64
}

func one(id string) (score float64, err error) {
	parts := []string{"https://api.example.com", "api", "v1", "passports", id}
	resp, err := http.Get(strings.Join(parts, "/")) // call: passport
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var body map[string]map[string]json.RawMessage
	if err = json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return 0, err
	}
	err = json.Unmarshal(body["passport"]["identity_score"], &score) // read: passport.identity_score
	return score, err
}

func Many(ids []string) []result {
	var wait sync.WaitGroup
	results := make([]result, len(ids))
	for i, id := range ids {
		wait.Add(1)
		go func() {
			defer wait.Done()
			score, err := one(id)
			if err != nil { // hazard: catch-default
				results[i] = result{id: id}
				return
			}
			results[i] = result{id: id, score: score}
		}()
	}
	wait.Wait()
	return results
}
