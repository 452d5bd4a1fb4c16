package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/singleflight"
)

type Performer struct {
	PassportID      int64    `json:"passport_id"`
	Score           *float64 `json:"score"`
	HumanCheckmark  bool     `json:"human_checkmark"`
	VerifiedWallets []string `json:"verified_wallets"`
	PassportProfile Profile  `json:"passport_profile"`
	PassportSocials []Social `json:"passport_socials"`
}

type Profile struct {
	DisplayName string `json:"display_name"`
	Bio         string `json:"bio"`
}

type Social struct {
	Source          string      `json:"source"`
	ProfileURL      string      `json:"profile_url"`
	ProfileImageURL string      `json:"profile_image_url"`
	FollowerCount   json.Number `json:"follower_count"`
}

type Credential struct {
	Type             string `json:"type"`
	Value            string `json:"value"`
	LastCalculatedAt string `json:"last_calculated_at"`
}

type Service struct {
	rest  *resty.Client
	cache *redis.Client
	group singleflight.Group
}

func New(baseURL, key string, cache *redis.Client) *Service {
	rest := resty.New().
		SetBaseURL(baseURL).
		SetHeader("X-API-KEY", key).
		SetTimeout(6 * time.Second).
		SetRetryCount(2)
	return &Service{rest: rest, cache: cache}
}

func (s *Service) Performer(ctx context.Context, wallet string) (*Performer, error) {
	key := "performer:" + wallet
	if raw, err := s.cache.Get(ctx, key).Bytes(); err == nil {
		var p Performer
		if json.Unmarshal(raw, &p) == nil {
			return &p, nil
		}
	}
	v, err, _ := s.group.Do(key, func() (any, error) {
		var out struct {
			Passport *Performer `json:"passport"`
		}
		resp, err := s.rest.R().
			SetContext(ctx).
			SetPathParam("id", wallet).
			SetResult(&out).
			Get("/api/v1/passports/{id}")
		if err != nil {
			return nil, err
		}
		if resp.IsError() || out.Passport == nil {
			return nil, fmt.Errorf("talent: %s", resp.Status())
		}
		if raw, err := json.Marshal(out.Passport); err == nil {
			s.cache.Set(ctx, key, raw, 20*time.Minute)
		}
		return out.Passport, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*Performer), nil
}

func (s *Service) Credentials(ctx context.Context, id int64) []Credential {
	var out struct {
		PassportCredentials []Credential `json:"passport_credentials"`
	}
	_, err := s.rest.R().SetContext(ctx).SetResult(&out).SetQueryParam("passport_id", fmt.Sprint(id)).Get("/api/v1/passport_credentials")
	if err != nil {
		slog.Error("credentials", "id", id, "err", err)
		return nil
	}
	return out.PassportCredentials
}
