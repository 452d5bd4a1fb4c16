package passports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	gocache "github.com/patrickmn/go-cache"
)

var ErrNotFound = errors.New("passport not found")

type Service struct {
	base  string
	key   string
	http  *http.Client
	cache *gocache.Cache
}

func NewService(base, key string, ttl time.Duration) *Service {
	return &Service{base: base, key: key, http: &http.Client{Timeout: 8 * time.Second}, cache: gocache.New(ttl, 2*ttl)}
}

func (s *Service) getJSON(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", s.key)
	resp, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case resp.StatusCode >= 300:
		return fmt.Errorf("passport api: %s for %s", resp.Status, path)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

func (s *Service) Get(ctx context.Context, wallet string) (*Passport, error) {
	if hit, ok := s.cache.Get(wallet); ok {
		return hit.(*Passport), nil
	}
	var body struct {
		Passport Passport `json:"passport"`
	}
	if err := s.getJSON(ctx, "/api/v1/passports/"+url.PathEscape(wallet), &body); err != nil {
		return nil, err
	}
	s.cache.SetDefault(wallet, &body.Passport)
	return &body.Passport, nil
}

func (s *Service) Search(ctx context.Context, keyword string) ([]Passport, int, error) {
	var body struct {
		Passports  []Passport `json:"passports"`
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	q := url.Values{"keyword": {keyword}}
	if err := s.getJSON(ctx, "/api/v1/passports?"+q.Encode(), &body); err != nil {
		return nil, 0, err
	}
	return body.Passports, body.Pagination.Total, nil
}

// Credentials never fails: a builder without credentials is still a builder.
func (s *Service) Credentials(ctx context.Context, passportID int) []Credential {
	var body struct {
		List []Credential `json:"passport_credentials"`
	}
	path := fmt.Sprintf("/api/v1/passport_credentials?passport_id=%d", passportID)
	if err := s.getJSON(ctx, path, &body); err != nil {
		return []Credential{}
	}
	return body.List
}
