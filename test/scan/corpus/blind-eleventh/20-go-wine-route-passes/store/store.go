package store

import (
	"errors"
	"sort"
	"strings"
	"sync"
	"time"
)

var ErrUnknown = errors.New("no such pass")

// Passport is the booklet a visitor carries from winery to winery.
type Passport struct {
	ID          int       `json:"passport_id"`
	Profile     Visitor   `json:"passport_profile"`
	Stamps      []Stamp   `json:"stamps"`
	Score       int       `json:"score"`
	Merged      bool      `json:"merged"`
	IssuedAt    time.Time `json:"issued_at"`
	CompletedAt time.Time `json:"completed_at,omitempty"`
}

type Visitor struct {
	DisplayName string `json:"display_name"`
	Location    string `json:"location"`
}

type Stamp struct {
	Winery   string    `json:"winery"`
	Category string    `json:"category"`
	EarnedAt time.Time `json:"earned_at"`
}

type Store struct {
	mu     sync.RWMutex
	byID   map[int]*Passport
	nextID int
}

func New() *Store { return &Store{byID: map[int]*Passport{}, nextID: 1000} }

func (s *Store) Issue(v Visitor) *Passport {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	p := &Passport{ID: s.nextID, Profile: v, IssuedAt: time.Now().UTC()}
	s.byID[p.ID] = p
	return p
}

func (s *Store) Get(id int) (*Passport, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.byID[id]
	if !ok {
		return nil, ErrUnknown
	}
	return p, nil
}

func (s *Store) Stamp(id int, st Stamp) (*Passport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.byID[id]
	if !ok {
		return nil, ErrUnknown
	}
	st.EarnedAt = time.Now().UTC()
	p.Stamps = append(p.Stamps, st)
	p.Score += points(st.Category)
	if len(p.Stamps) >= 12 && p.CompletedAt.IsZero() {
		p.CompletedAt = st.EarnedAt
	}
	return p, nil
}

func (s *Store) Search(keyword string) []*Passport {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []*Passport
	for _, p := range s.byID {
		if strings.Contains(strings.ToLower(p.Profile.DisplayName), strings.ToLower(keyword)) {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

func points(category string) int {
	switch category {
	case "cellar":
		return 3
	case "vineyard":
		return 2
	default:
		return 1
	}
}
