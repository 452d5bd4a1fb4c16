package main

import (
	"sync"
	"time"
)

// BoatPassport lets a boat through the locks of the linked waterways.
type BoatPassport struct {
	PassportID int       `json:"passport_id"`
	BoatName   string    `json:"boat_name"`
	Mooring    string    `json:"location"`
	HullScore  float64   `json:"score"`
	LengthFeet int       `json:"length_feet"`
	Stamps     []Stamp   `json:"stamps"`
	IssuedAt   time.Time `json:"issued_at"`
}

type Stamp struct {
	Lock     string    `json:"lock"`
	EarnedAt time.Time `json:"earned_at"`
}

type Store struct {
	mu    sync.RWMutex
	next  int
	boats map[int]*BoatPassport
}

func NewStore() *Store {
	return &Store{next: 1, boats: map[int]*BoatPassport{}}
}

func (s *Store) Add(p *BoatPassport) *BoatPassport {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.PassportID = s.next
	s.next++
	s.boats[p.PassportID] = p
	return p
}

func (s *Store) Find(id int) (*BoatPassport, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.boats[id]
	return p, ok
}

func (s *Store) All() []*BoatPassport {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]*BoatPassport, 0, len(s.boats))
	for _, p := range s.boats {
		out = append(out, p)
	}
	return out
}
