package main

import (
	"sort"
	"sync"
	"time"
)

type Stamp struct {
	Trail    string    `json:"trail"`
	Name     string    `json:"name"`
	EarnedAt time.Time `json:"earned_at"`
}

// Passport is a hiker's stamp booklet.
type Passport struct {
	PassportID  string  `json:"passport_id"`
	DisplayName string  `json:"display_name"`
	Location    string  `json:"location"`
	Score       int     `json:"score"`
	Stamps      []Stamp `json:"stamps"`
}

type store struct {
	mu    sync.RWMutex
	books map[string]Passport
}

func newStore() *store {
	return &store{books: make(map[string]Passport)}
}

func (s *store) get(id string) (Passport, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.books[id]
	return p, ok
}

func (s *store) put(p Passport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[p.PassportID] = p
}

func (s *store) byScore() []Passport {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]Passport, 0, len(s.books))
	for _, p := range s.books {
		all = append(all, p)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Score > all[j].Score })
	return all
}
