package service

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

type Service struct {
	api  string
	http *http.Client
}

func NewService() *Service {
	return &Service{api: os.Getenv("PASSPORT_API") + "/api/v1", http: &http.Client{}}
}

type passport struct {
	Score       float64  `json:"score"`
	Wallets     []string `json:"verified_wallets"`
	Calculating bool     `json:"calculating_score"`
}

func (s *Service) fetch(ctx context.Context, wallet string) (passport, error) {
	var envelope struct {
		Data passport `json:"passport"`
	}
	req, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/passports/%s", s.api, wallet), nil) // call: passport
	if err != nil {
		return passport{}, err
	}
	res, err := s.http.Do(req)
	if err != nil {
		return passport{}, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
		err = json.NewDecoder(res.Body).Decode(&envelope)
	default:
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	return envelope.Data, err
}

func (s *Service) Score(ctx context.Context, wallet string) float64 {
	p, err := s.fetch(ctx, wallet)
	if err != nil { // hazard: catch-default
		log.Printf("score of %s: %v", wallet, err)
		return 0
	}
	if p.Calculating { // read: passport.calculating_score
		return -1
	}
	return p.Score // read: passport.score
}

func (s *Service) Owns(ctx context.Context, id, wallet string) (bool, error) {
	p, err := s.fetch(ctx, id)
	if err != nil {
		return false, fmt.Errorf("owns: %w", err)
	}
	for _, w := range p.Wallets { // read: passport.verified_wallets[]
		if w == wallet {
			return true, nil
		}
	}
	return false, nil
}
