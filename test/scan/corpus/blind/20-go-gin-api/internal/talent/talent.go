package talent

import (
	"fmt"
	"sync"
	"time"

	"github.com/go-resty/resty/v2"
)

type Candidate struct {
	PassportID       int     `json:"passport_id"`
	Score            float64 `json:"score"`
	SkillsScore      float64 `json:"skills_score"`
	ConnectionsCount int     `json:"connections_count"`
	PassportProfile  Profile `json:"passport_profile"`
}

type Profile struct {
	DisplayName string `json:"display_name"`
	Location    string `json:"location"`
}

type Credential struct {
	Category string  `json:"category"`
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
}

type Service struct {
	http  *resty.Client
	mu    sync.Mutex
	cache map[string]entry
}

type entry struct {
	at   time.Time
	list []Candidate
}

func NewService(baseURL, key string) *Service {
	c := resty.New().SetBaseURL(baseURL).SetHeader("X-API-KEY", key).SetRetryCount(3)
	return &Service{http: c, cache: map[string]entry{}}
}

func (s *Service) Search(keyword string) ([]Candidate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.cache[keyword]; ok && time.Since(e.at) < 10*time.Minute {
		return e.list, nil
	}
	var out struct {
		Passports []Candidate `json:"passports"`
	}
	resp, err := s.http.R().SetQueryParam("keyword", keyword).SetResult(&out).Get("/api/v1/passports")
	if err != nil {
		return nil, err
	}
	if resp.IsError() {
		return nil, fmt.Errorf("passports: %s", resp.Status())
	}
	s.cache[keyword] = entry{time.Now(), out.Passports}
	return out.Passports, nil
}

func (s *Service) Credentials(id int) []Credential {
	var out struct {
		Items []Credential `json:"passport_credentials"`
	}
	resp, err := s.http.R().
		SetQueryParam("passport_id", fmt.Sprint(id)).
		SetResult(&out).
		Get("/api/v1/passport_credentials")
	if err != nil || resp.IsError() {
		return []Credential{}
	}
	return out.Items
}
