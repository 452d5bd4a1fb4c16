package badgeboard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"
)

type Board struct {
	BaseURL string
	Client  *http.Client

	mu     sync.Mutex
	scores map[string]float64
}

type Entry struct {
	Name  string
	Score float64
	Value int
}

func (b *Board) entries(ctx context.Context, passportID string) ([]Entry, error) {
	endpoint := b.BaseURL + "/api/v1/passport_credentials"
	req, err := http.NewRequestWithContext(ctx, "GET", endpoint, nil) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	q := req.URL.Query()
	q.Set("passport_id", passportID)
	req.URL.RawQuery = q.Encode()

	resp, err := b.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("credentials of %s: %w", passportID, err)
	}
	defer resp.Body.Close()

	var payload struct {
		Credentials []struct {
			Name     string  `json:"name"`
			Category string  `json:"category"`
			Score    float64 `json:"score"`
			Value    string  `json:"value"`
		} `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&payload); err != nil {
		return nil, err
	}
	var entries []Entry
	for _, cred := range payload.Credentials {
		if cred.Category != "Skills" { // read: passport_credentials[].category
			continue
		}
		n, err := strconv.Atoi(cred.Value) // read: passport_credentials[].value; hazard: string-number
		if err != nil {
			return nil, fmt.Errorf("value of %s: %w", cred.Name, err) // read: passport_credentials[].name
		}
		entries = append(entries, Entry{Name: cred.Name, Score: cred.Score, Value: n}) // read: passport_credentials[].name, passport_credentials[].score
	}
	return entries, nil
}

func (b *Board) Load(ctx context.Context, ids []string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, id := range ids {
		id := id
		g.Go(func() error {
			entries, err := b.entries(ctx, id)
			if err != nil {
				return err
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			for _, e := range entries {
				b.scores[id] += e.Score + float64(e.Value)
			}
			return nil
		})
	}
	return g.Wait()
}
