package a

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

type Passport struct {
	Score float64 `json:"score"`
	At    string  `json:"last_calculated_at"`
}
type entry struct {
	p   Passport
	exp time.Time
}
type cache struct {
	mu sync.RWMutex
	m  map[string]entry
}

func (c *cache) get(id string) (Passport, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.m[id]
	if !ok || time.Now().After(e.exp) {
		return Passport{}, false
	}
	return e.p, true
}
func (c *cache) put(id string, p Passport) {
	c.mu.Lock()
	c.m[id] = entry{p: p, exp: time.Now()}
	c.mu.Unlock()
}

type server struct {
	c     *cache
	fetch func(id string) (Passport, error)
}

func fetch(id string) (Passport, error) {
	r, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return Passport{}, err
	}
	defer r.Body.Close()
	var b struct {
		Data Passport `json:"passport"`
	}
	err = json.NewDecoder(r.Body).Decode(&b)
	return b.Data, err
}

func (s *server) load(id string) (Passport, error) {
	if p, ok := s.c.get(id); ok {
		return p, nil
	}
	p, err := s.fetch(id)
	if err == nil {
		s.c.put(id, p)
	}
	return p, err
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, err := s.load(r.URL.Query().Get("id"))
	if err != nil {
		http.Error(w, err.Error(), 502)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"score": p.Score, "at": p.At}) // read: passport.score, passport.last_calculated_at
}

func main() {
	s := &server{c: &cache{m: map[string]entry{}}, fetch: fetch}
	http.Handle("/p", s)
}
