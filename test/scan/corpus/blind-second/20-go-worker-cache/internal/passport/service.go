package passport

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
)

const apiURL = "https://api.talentprotocol.com/api/v1"

// Record is what the API says about a person.
type Record struct {
	ID      int64    `json:"passport_id"`
	Score   int64    `json:"score"`
	Human   bool     `json:"human_checkmark"`
	Pending bool     `json:"calculating_score"`
	Wallets []string `json:"verified_wallets"`
}

type credential struct {
	Type  string `json:"type"`
	Score int64  `json:"score"`
}

// Service reads passports through a Redis cache.
type Service struct {
	rdb    *redis.Client
	client *http.Client
	key    string
}

// New makes a service.
func New(rdb *redis.Client, key string) *Service {
	return &Service{rdb: rdb, client: &http.Client{Timeout: 15 * time.Second}, key: key}
}

func (s *Service) do(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Add("X-API-KEY", s.key)
	return s.client.Do(req)
}

// Get returns the record of a wallet, from the cache if it is there.
func (s *Service) Get(ctx context.Context, wallet string) (*Record, error) {
	if raw, err := s.rdb.Get(ctx, "passport:"+wallet).Bytes(); err == nil {
		var rec Record
		if json.Unmarshal(raw, &rec) == nil {
			return &rec, nil
		}
	}
	rec, err := s.fetch(ctx, wallet)
	if err != nil {
		return nil, err
	}
	if !rec.Pending {
		if raw, err := json.Marshal(rec); err == nil {
			s.rdb.Set(ctx, "passport:"+wallet, raw, 6*time.Hour)
		}
	}
	return rec, nil
}

func (s *Service) fetch(ctx context.Context, wallet string) (*Record, error) {
	resp, err := s.do(ctx, fmt.Sprintf("%s/passports/%s", apiURL, wallet))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, fmt.Errorf("passport %s: %s", wallet, resp.Status)
	}
	var body struct {
		Passport *Record `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	if body.Passport == nil {
		return nil, fmt.Errorf("passport %s: empty answer", wallet)
	}
	return body.Passport, nil
}

// Points sums the credentials of some types. It is 0 when they are not available.
func (s *Service) Points(ctx context.Context, id int64, types map[string]bool) int64 {
	url := fmt.Sprintf("%s/passport_credentials?passport_id=%d", apiURL, id)
	resp, err := s.do(ctx, url)
	if err != nil {
		slog.Error("credentials", "id", id, "err", err)
		return 0
	}
	defer resp.Body.Close()

	var body struct {
		Credentials []credential `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return 0
	}
	var sum int64
	for _, c := range body.Credentials {
		if types[c.Type] {
			sum += c.Score
		}
	}
	return sum
}
