package cefr

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Board is the client of the exam board.
type Board struct {
	Base  string // https://results.examboard.example
	Token string
	HTTP  *http.Client
}

func NewBoard(base, token string) *Board {
	return &Board{Base: base, Token: token, HTTP: &http.Client{Timeout: 10 * time.Second}}
}

// Results fetches a candidate's exam credentials.
func (b *Board) Results(ctx context.Context, candidate string) ([]ExamResult, error) {
	u := fmt.Sprintf("%s/api/v1/candidates/%s/credentials?min_score=0", b.Base, url.PathEscape(candidate))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Token "+b.Token)
	resp, err := b.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, nil
	}
	var out struct {
		Credentials []ExamResult `json:"credentials"`
		Pagination  struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	if out.Pagination.Total > len(out.Credentials) {
		return nil, fmt.Errorf("examboard: %d results, %d read", out.Pagination.Total, len(out.Credentials))
	}
	return out.Credentials, nil
}
