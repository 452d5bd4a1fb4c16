package a

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

type Passport struct {
	Score  float64 `json:"score"`
	Wallet string  `json:"main_wallet"`
	At     string  `json:"last_calculated_at"`
}

func fetch(id string) (*Passport, error) {
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	zr, err := gzip.NewReader(bufio.NewReader(resp.Body))
	if err != nil {
		return nil, err
	}
	var out struct {
		Passport *Passport `json:"passport"`
	}
	if err := json.NewDecoder(zr).Decode(&out); err != nil {
		return nil, err
	}
	return out.Passport, nil
}

var g singleflight.Group

func shared(id string) (*Passport, error) {
	v, err, _ := g.Do(id, func() (interface{}, error) { return fetch(id) })
	if err != nil {
		return nil, err
	}
	return v.(*Passport), nil
}

var cache, _ = lru.New[string, *Passport](10)

func cached(id string) float64 {
	if v, ok := cache.Get(id); ok {
		return v.Score // read: passport.score
	}
	p, err := shared(id)
	if err != nil {
		panic(err)
	}
	println(p.At) // read: passport.last_calculated_at
	cache.Add(id, p)
	return 1
}

var current atomic.Pointer[Passport]

func refresh() {
	p, err := fetch("1")
	if err != nil {
		panic(err)
	}
	current.Store(p)
}
func show() string { return current.Load().Wallet } // read: passport.main_wallet

var once = sync.OnceValues(func() (*Passport, error) { return fetch("2") })

func first() {
	p, err := once()
	if err != nil {
		panic(err)
	}
	println(p.Wallet) // read: passport.main_wallet
}

type key struct{}

func mw(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := fetch(r.Header.Get("id"))
		if err != nil {
			http.Error(w, "x", 500)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, p)))
	})
}
func handler(w http.ResponseWriter, r *http.Request) {
	p, ok := r.Context().Value(key{}).(*Passport)
	if !ok {
		return
	}
	json.NewEncoder(w).Encode(p.Score) // read: passport.score
}

type poller struct {
	last Passport
	mu   sync.Mutex
}

func (p *poller) tick(id string) error {
	n, err := fetch(id)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = *n
	return nil
}
func (p *poller) level() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.Score > 50 { // read: passport.score
		return 1
	}
	return 0
}

var rules = []struct {
	name string
	ok   func(*Passport) bool
}{
	{"score", func(p *Passport) bool { return p.Score > 3 }}, // read: passport.score
	{"wallet", hasWallet},
}

func hasWallet(p *Passport) bool { return p.Wallet != "" } // read: passport.main_wallet

func check(id string) {
	p, err := fetch(id)
	if err != nil {
		panic(err)
	}
	for _, r := range rules {
		println(r.name, r.ok(p))
	}
	q := *p
	println(q.At) // read: passport.last_calculated_at
}
