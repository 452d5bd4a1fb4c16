package state

import (
	"encoding/json"
	"os"
)

// Entry is what we remember of a mentor.
type Entry struct {
	Score float64 `json:"score"`
	Name  string  `json:"name"`
	Known int     `json:"credentials"`
}

type Store struct {
	path    string
	Entries map[string]Entry
}

func Open(path string) *Store {
	s := &Store{path: path, Entries: map[string]Entry{}}
	if b, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(b, &s.Entries)
	}
	return s
}

func (s *Store) Save() error {
	b, err := json.MarshalIndent(s.Entries, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path, b, 0o644)
}
