package dossier

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"
)

type talentPassport struct {
	Passport struct {
		PassportID int     `json:"passport_id"`
		Score      float64 `json:"score"`
		Skills     float64 `json:"skills_score"`
		Activity   float64 `json:"activity_score"`
		Human      bool    `json:"human_checkmark"`
		Pending    bool    `json:"calculating_score"`
		Merged     bool    `json:"merged"`
		Profile    *struct {
			DisplayName string   `json:"display_name"`
			Location    string   `json:"location"`
			Tags        []string `json:"tags"`
		} `json:"passport_profile"`
		Socials []talentSocial `json:"passport_socials"`
		Wallets []string       `json:"verified_wallets"`
	} `json:"passport"`
}

type talentSocial struct {
	Source    string      `json:"source"`
	Handle    string      `json:"profile_name"`
	Followers json.Number `json:"follower_count"`
}

type talentCredentials struct {
	List []struct {
		Type     string  `json:"type"`
		Category string  `json:"category"`
		Score    float64 `json:"score"`
		Max      float64 `json:"max_score"`
	} `json:"passport_credentials"`
}

type talent struct {
	base, key string
	http      *http.Client
	bodies    *expirable.LRU[string, []byte]
	flight    singleflight.Group
}

func newTalent(base, key string) *talent {
	return &talent{
		base:   base,
		key:    key,
		http:   &http.Client{Timeout: 5 * time.Second},
		bodies: expirable.NewLRU[string, []byte](4096, nil, 10*time.Minute),
	}
}

// body reads an address once, however many ask for it at the same time.
func (t *talent) body(ctx context.Context, path string) ([]byte, error) {
	if b, ok := t.bodies.Get(path); ok {
		return b, nil
	}
	v, err, _ := t.flight.Do(path, func() (any, error) {
		req, err := http.NewRequestWithContext(ctx, "GET", t.base+path, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("X-API-KEY", t.key)
		resp, err := t.http.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		if err == nil {
			t.bodies.Add(path, b)
		}
		return b, err
	})
	if err != nil {
		return nil, err
	}
	return v.([]byte), nil
}

func decode[T any](b []byte, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(b, v); err != nil {
		return nil, fmt.Errorf("talent: %w", err)
	}
	return v, nil
}

func (t *talent) passport(ctx context.Context, wallet string) (*talentPassport, error) {
	return decode[talentPassport](t.body(ctx, "/passports/"+wallet))
}

func (t *talent) credentials(ctx context.Context, wallet string) (*talentCredentials, error) {
	return decode[talentCredentials](t.body(ctx, fmt.Sprintf("/passport_credentials?passport_id=%s", wallet)))
}
