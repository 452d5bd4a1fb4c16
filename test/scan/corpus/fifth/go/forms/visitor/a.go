package main

import (
	"encoding/json"
	"net/http"
)

type Cred struct {
	ID    string  `json:"id"`
	Type  string  `json:"type"`
	Score float64 `json:"score"`
}

type Sink interface{ Accept(c Cred) error }

type sum struct{ by map[string]float64 }

func (s *sum) Accept(c Cred) error {
	s.by[c.Type] += c.Score // read: passport_credentials[].type, passport_credentials[].score
	return nil
}

type SinkFunc func(Cred) error

func (f SinkFunc) Accept(c Cred) error { return f(c) }

func Each(id string, sinks ...Sink) error {
	resp, err := http.Get("https://h/api/v1/passport_credentials?passport_id=" + id) // call: passport-credentials
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var d struct {
		All []Cred `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&d); err != nil {
		return err
	}
	for _, c := range d.All {
		for _, s := range sinks {
			if err := s.Accept(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	s := &sum{map[string]float64{}}
	var ids []string
	err := Each("1", s, SinkFunc(func(c Cred) error {
		ids = append(ids, c.ID) // read: passport_credentials[].id
		return nil
	}))
	if err != nil {
		panic(err)
	}
}
