package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

var ErrNotFound = errors.New("passport not found")

type Passport struct {
	ID             int      `json:"passport_id"` // hazard: integer-id
	Score          float64  `json:"score"`
	SkillsScore    float64  `json:"skills_score"`
	Human          bool     `json:"human_checkmark"`
	MainWallet     string   `json:"main_wallet"`
	Wallets        []string `json:"verified_wallets"`
	LastCalculated string   `json:"last_calculated_at"`
	Profile        struct {
		DisplayName string   `json:"display_name"`
		Tags        []string `json:"tags"`
	} `json:"passport_profile"`
}

type PassportRepository struct {
	base   string
	key    string
	client *http.Client
}

func New(base, key string, client *http.Client) *PassportRepository {
	return &PassportRepository{base: base, key: key, client: client}
}

func (r *PassportRepository) Find(ctx context.Context, id string) (*Passport, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/api/v1/passports/"+url.PathEscape(id), nil) // call: passport
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", r.key)
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("passport %s: %w", id, err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, ErrNotFound
	default:
		return nil, fmt.Errorf("passport %s: status %d", id, resp.StatusCode)
	}
	var envelope struct {
		Passport Passport `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&envelope); err != nil {
		return nil, err
	}
	return &envelope.Passport, nil
}
