package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

const host = "https://rep.example.org"

type Passport struct {
	ID     int     `json:"passport_id"` // hazard: integer-id
	Score  float64 `json:"score"`
	Wallet string  `json:"main_wallet"`
}

type outcome struct {
	wallet string
	p      *Passport
	err    error
}

func load(ctx context.Context, wallet string) (*Passport, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", host+"/api/v1/passports/"+wallet, nil) // call: passport
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct {
		Passport Passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	return &out.Passport, nil
}

func worker(ctx context.Context, jobs <-chan string, results chan<- outcome, wg *sync.WaitGroup) {
	defer wg.Done()
	for w := range jobs {
		p, err := load(ctx, w)
		results <- outcome{w, p, err}
	}
}

func main() {
	jobs := make(chan string)
	results := make(chan outcome, 10)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go worker(context.Background(), jobs, results, &wg)
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	for r := range results {
		if r.err != nil {
			fmt.Println(r.wallet, r.err)
			continue
		}
		fmt.Println(r.p.ID, r.p.Score) // read: passport.passport_id, passport.score
	}
	one := make(chan *Passport)
	go func() {
		p, _ := load(context.Background(), "x") // hazard: catch-default
		one <- p
	}()
	select {
	case p := <-one:
		fmt.Println(p.Wallet) // read: passport.main_wallet
	case <-context.Background().Done():
	}
	q, ok := <-one
	if ok {
		fmt.Println(q.Score) // read: passport.score
	}
}
