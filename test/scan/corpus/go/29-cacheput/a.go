package cache

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

type Passport struct {
	Skills   float64 `json:"skills_score"`
	Human    bool    `json:"human_checkmark"`
	Merged   bool    `json:"merged"`
}

type entry struct {
	value   Passport
	expires time.Time
}

type Store struct {
	mu    sync.RWMutex
	items map[string]entry
	once  sync.Map
}

func (s *Store) Get(id string) (Passport, error) {
	s.mu.RLock()
	e, ok := s.items[id]
	s.mu.RUnlock()
	if ok && time.Now().Before(e.expires) {
		return e.value, nil
	}
	p, err := fetch(id)
	if err != nil {
		return Passport{}, fmt.Errorf("passport %s: %w", id, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[id] = entry{value: p, expires: time.Now().Add(time.Minute)}
	s.once.Store(id, p)
	return p, nil
}

func fetch(id string) (Passport, error) {
	const path = "/api/v1/passports/"
	url := "https://rep.example.org" + path + id
	res, err := http.Get(url) // call: passport
	if err != nil {
		return Passport{}, err
	}
	defer res.Body.Close()
	if res.StatusCode >= 400 {
		return Passport{}, fmt.Errorf("status %s", res.Status)
	}
	type wrapper struct {
		Passport `json:"passport"`
	}
	w := wrapper{}
	if err := json.NewDecoder(res.Body).Decode(&w); err != nil {
		return Passport{}, err
	}
	return w.Passport, nil
}

func (s *Store) Eligible(id string) (bool, error) {
	p, err := s.Get(id)
	if err != nil {
		return false, err
	}
	return p.Human && !p.Merged, nil // read: passport.human_checkmark, passport.merged
}

func (s *Store) Skilled() (n int) {
	for _, e := range s.items {
		if e.value.Skills > 10 { // read: passport.skills_score
			n++
		}
	}
	if v, ok := s.once.Load("x"); ok {
		fmt.Println(v.(Passport).Skills) // read: passport.skills_score
	}
	return n
}
