// Package harvest reads the whole list with several workers.
package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

type Person struct {
	PassportID       int      `json:"passport_id"`
	Score            float64  `json:"score"`
	HumanCheckmark   bool     `json:"human_checkmark"`
	CalculatingScore bool     `json:"calculating_score"`
	ConnectionsCount int      `json:"connections_count"`
	VerifiedWallets  []string `json:"verified_wallets"`
	PassportProfile  *struct {
		DisplayName string `json:"display_name"`
		Location    string `json:"location"`
	} `json:"passport_profile"`
}

type listing struct {
	Passports  []Person       `json:"passports"`
	Pagination map[string]int `json:"pagination"`
}

type Harvester struct {
	api     string
	key     string
	workers int
	client  *http.Client
	tick    *time.Ticker
}

func New(api, key string, workers int) *Harvester {
	return &Harvester{
		api:     api,
		key:     key,
		workers: workers,
		client:  &http.Client{Timeout: 30 * time.Second},
		tick:    time.NewTicker(400 * time.Millisecond),
	}
}

// read returns the body of a 200 and an error for anything else.
func (h *Harvester) read(ctx context.Context, path string, q url.Values) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.tick.C:
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.api+path+"?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	if h.key != "" {
		req.Header.Set("X-API-KEY", h.key)
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s: %.80s", path, resp.Status, body)
	}
	return body, nil
}

func (h *Harvester) page(ctx context.Context, keyword string, n int) (l listing, err error) {
	q := url.Values{"page": {strconv.Itoa(n)}}
	if keyword != "" {
		q.Set("keyword", keyword)
	}
	body, err := h.read(ctx, "/passports", q)
	if err != nil {
		return l, err
	}
	err = json.Unmarshal(body, &l)
	return l, err
}

// Everyone asks for the first page to learn how many there are, then for the others side by side.
func (h *Harvester) Everyone(ctx context.Context, keyword string) ([]Person, error) {
	first, err := h.page(ctx, keyword, 1)
	if err != nil {
		return nil, err
	}
	last := first.Pagination["last_page"]
	log.Printf("%d passports on %d pages", first.Pagination["total"], last)

	pages := make([][]Person, max(last, 1))
	pages[0] = first.Passports
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(h.workers)
	for n := 2; n <= last; n++ {
		g.Go(func() error {
			l, err := h.page(ctx, keyword, n)
			if err != nil {
				log.Printf("page %d is left out: %v", n, err)
				return nil
			}
			pages[n-1] = l.Passports
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var all []Person
	for _, p := range pages {
		all = append(all, p...)
	}
	return all, nil
}

type Count struct {
	Holders int
	Points  float64
	Latest  string
}

// Tally counts the credentials of everybody above a score by their type.
func (h *Harvester) Tally(ctx context.Context, people []Person, minimum float64) (map[string]Count, error) {
	jobs := make(chan Person)
	result := map[string]Count{}
	var mu sync.Mutex

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(jobs)
		for _, p := range people {
			if p.Score < minimum || p.CalculatingScore {
				continue
			}
			select {
			case jobs <- p:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range h.workers {
		g.Go(func() error {
			for p := range jobs {
				creds, err := h.credentials(ctx, p.PassportID)
				if err != nil {
					return err
				}
				mu.Lock()
				add(result, creds)
				mu.Unlock()
			}
			return nil
		})
	}
	return result, g.Wait()
}

// The items differ from type to type, so they stay maps.
func (h *Harvester) credentials(ctx context.Context, id int) ([]map[string]any, error) {
	body, err := h.read(ctx, "/passport_credentials", url.Values{"passport_id": {strconv.Itoa(id)}})
	if err != nil {
		return nil, err
	}
	var parsed map[string][]map[string]any
	if err := json.Unmarshal(body, &parsed); err != nil {
		return nil, err
	}
	return parsed["passport_credentials"], nil
}

func add(result map[string]Count, creds []map[string]any) {
	for _, c := range creds {
		kind, ok := c["type"].(string)
		if !ok {
			continue
		}
		points, _ := c["score"].(float64)
		if points == 0 {
			continue
		}
		earned, _ := c["earned_at"].(string)
		count := result[kind]
		count.Holders++
		count.Points += points
		count.Latest = max(count.Latest, earned)
		result[kind] = count
	}
}
