package fanout

import (
	"encoding/json"
	"net/http"
	"sync"
)

const passportURL = "https://rep.example.org/api/v1/passports/"

type result struct {
	Passport struct {
		Score    float64 `json:"score"`
		Activity float64 `json:"activity_score"`
	} `json:"passport"`
}

type Entry struct {
	Wallet string
	Score  float64
}

func scoreOf(wallet string) float64 {
	resp, err := http.Get(passportURL + wallet) // call: passport
	if err != nil { // hazard: catch-default
		return 0
	}
	defer resp.Body.Close()
	var r result
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil { // hazard: catch-default
		return 0
	}
	return r.Passport.Score + r.Passport.Activity // read: passport.score, passport.activity_score
}

func All(wallets []string) []Entry {
	entries := make([]Entry, len(wallets))
	var wg sync.WaitGroup
	for i, w := range wallets {
		wg.Add(1)
		go func(i int, w string) {
			defer wg.Done()
			entries[i] = Entry{Wallet: w, Score: scoreOf(w)}
		}(i, w)
	}
	wg.Wait()
	return entries
}

func Best(entries []Entry) (best Entry) {
	for _, e := range entries {
		if e.Score > best.Score {
			best = e
		}
	}
	return best
}
