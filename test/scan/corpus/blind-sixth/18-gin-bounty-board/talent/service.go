package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"
)

type Service struct {
	baseURL string
	apiKey  string
	client  *http.Client
	hunters *expirable.LRU[string, Hunter]
	flight  singleflight.Group
}

func NewService(baseURL, apiKey string) *Service {
	return &Service{
		baseURL: strings.TrimRight(baseURL, "/"),
		apiKey:  apiKey,
		client:  &http.Client{Timeout: 10 * time.Second},
		hunters: expirable.NewLRU[string, Hunter](4096, nil, 15*time.Minute),
	}
}

func (s *Service) do(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Add("X-API-KEY", s.apiKey)
	req.Header.Add("Accept", "application/json")
	return s.client.Do(req)
}

// Hunter loads a passport; the cache holds it for a quarter of an hour.
func (s *Service) Hunter(ctx context.Context, wallet string) (Hunter, error) {
	key := strings.ToLower(wallet)
	if h, ok := s.hunters.Get(key); ok {
		return h, nil
	}
	v, err, _ := s.flight.Do(key, func() (interface{}, error) {
		resp, err := s.do(ctx, fmt.Sprintf("%s/api/v1/passports/%s", s.baseURL, wallet))
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("passport of %s: %s", wallet, resp.Status)
		}
		var payload struct {
			Passport passportDTO `json:"passport"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&payload); err != nil {
			return nil, err
		}
		h := payload.Passport.hunter()
		h.Skills = append(h.Skills, s.provenSkills(ctx, payload.Passport.PassportId)...)
		s.hunters.Add(key, h)
		return h, nil
	})
	if err != nil {
		return Hunter{}, err
	}
	return v.(Hunter), nil
}

func (s *Service) provenSkills(ctx context.Context, passportID int) []string {
	resp, err := s.do(ctx, fmt.Sprintf("%s/api/v1/passport_credentials?passport_id=%d", s.baseURL, passportID))
	if err != nil {
		log.Printf("credentials of %d: %v", passportID, err)
		return nil
	}
	defer resp.Body.Close()

	var payload struct {
		PassportCredentials []credentialDTO `json:"passport_credentials"`
	}
	_ = json.NewDecoder(resp.Body).Decode(&payload)

	var names []string
	for _, c := range payload.PassportCredentials {
		if c.Category != "Skills" || c.MaxScore == 0 {
			continue
		}
		if c.Score/c.MaxScore >= 0.5 {
			names = append(names, c.Name)
		}
	}
	return names
}

// Top is the public list of hunters, best first.
func (s *Service) Top(ctx context.Context, keyword string) ([]Hunter, error) {
	url := s.baseURL + "/api/v1/passports"
	if keyword != "" {
		url += "?keyword=" + keyword
	}
	resp, err := s.do(ctx, url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, fmt.Errorf("list of passports: %s", resp.Status)
	}
	var payload struct {
		Passports []passportDTO `json:"passports"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&payload); err != nil {
		return nil, err
	}
	hunters := make([]Hunter, 0, len(payload.Passports))
	for _, dto := range payload.Passports {
		if dto.SkillsScore < 1 && dto.ConnectionsCount < 1 {
			continue
		}
		hunters = append(hunters, dto.hunter())
	}
	return hunters, nil
}
