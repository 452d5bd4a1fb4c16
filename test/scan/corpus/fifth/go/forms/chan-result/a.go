package a

import (
	"encoding/json"
	"net/http"
	"sync"
)

type outcome struct {
	p   *passport
	err error
}
type passport struct {
	Score float64 `json:"score"`
	Main  string  `json:"main_wallet"`
}
type wrapped struct {
	Passport passport `json:"passport"`
}

func worker(ids <-chan string, out chan<- outcome, wg *sync.WaitGroup) {
	defer wg.Done()
	for id := range ids {
		resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
		if err != nil {
			out <- outcome{err: err}
			continue
		}
		var w wrapped
		err = json.NewDecoder(resp.Body).Decode(&w)
		resp.Body.Close()
		out <- outcome{&w.Passport, err}
	}
}

func all(list []string) map[string]float64 {
	ids := make(chan string)
	out := make(chan outcome, 10)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go worker(ids, out, &wg)
	}
	go func() { wg.Wait(); close(out) }()
	m := make(map[string]float64)
	for o := range out {
		if o.err != nil {
			panic(o.err)
		}
		m[o.p.Main] = o.p.Score // read: passport.main_wallet, passport.score
	}
	select {
	case o := <-out:
		println(o.p.Main) // read: passport.main_wallet
	}
	return m
}
