package bounty

import (
	"errors"
	"sync"
	"time"
)

type Bounty struct {
	ID         int       `json:"id"`
	Title      string    `json:"title"`
	Category   string    `json:"category"`
	MinScore   float64   `json:"min_score"`
	Value      string    `json:"value"`
	CreatedAt  time.Time `json:"created_at"`
	Applicants []string  `json:"applicants"`
}

var ErrUnknown = errors.New("unknown bounty")

type Store struct {
	mu   sync.Mutex
	next int
	all  map[int]*Bounty
}

func NewStore() *Store { return &Store{next: 1, all: map[int]*Bounty{}} }

func (s *Store) Add(b Bounty) Bounty {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.ID, b.CreatedAt = s.next, time.Now()
	s.all[b.ID] = &b
	s.next++
	return b
}

func (s *Store) Get(id int) (Bounty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.all[id]
	if !ok {
		return Bounty{}, ErrUnknown
	}
	return *b, nil
}

func (s *Store) Apply(id int, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[id].Applicants = append(s.all[id].Applicants, name)
}

func (s *Store) List() []Bounty {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Bounty, 0, len(s.all))
	for _, b := range s.all {
		out = append(out, *b)
	}
	return out
}
