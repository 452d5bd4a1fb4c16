package a

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

type person struct {
	ID    int64  `json:"passport_id"` // hazard: integer-id
	Name  string `json:"-"`
	Loc   profile `json:"passport_profile"`
	Soc   []soc  `json:"passport_socials"`
}
type profile struct {
	Location string   `json:"location"`
	Tags     []string `json:"tags"`
}
type soc struct {
	Followers string `json:"follower_count"`
	Src       string `json:"source"`
}
type summary struct {
	ID        int64
	Location  string
	Followers int
	BySource  map[string]int
}

type batcher struct {
	sem     chan struct{}
	client  http.Client
	results sync.Map
}

func (b *batcher) run(ctx context.Context, ids []string) ([]summary, error) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
		out  []summary
	)
	for _, id := range ids {
		id := id
		wg.Add(1)
		b.sem <- struct{}{}
		go func() {
			defer func() { <-b.sem; wg.Done() }()
			p, err := b.one(ctx, id)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			b.results.Store(id, p)
			out = append(out, summarize(p))
		}()
	}
	wg.Wait()
	b.results.Range(func(k, v any) bool {
		p := v.(*person)
		fmt.Println(k, p.Loc.Tags) // read: passport.passport_profile.tags[]
		return true
	})
	if len(errs) > 0 {
		return nil, errs[0]
	}
	for _, s := range out {
		fmt.Println(s.ID, s.Location, s.Followers)
	}
	return out, nil
}

func summarize(p *person) summary {
	s := summary{ID: p.ID, Location: p.Loc.Location, BySource: map[string]int{}} // read: passport.passport_id, passport.passport_profile.location
	for _, x := range p.Soc { // read: passport.passport_socials
		n, err := strconv.Atoi(x.Followers) // read: passport.passport_socials[].follower_count; hazard: string-number
		if err != nil {
			continue
		}
		s.Followers += n
		s.BySource[x.Src] += n // read: passport.passport_socials[].source
	}
	return s
}

func (b *batcher) one(ctx context.Context, id string) (*person, error) {
	const tmpl = "https://h/api/v1/passports/%s"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf(tmpl, id), nil) // call: passport
	if err != nil {
		return nil, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("get: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound { // hazard: status-default
		return nil, nil
	}
	wrapper := struct {
		Passport person `json:"passport"`
	}{}
	if err := json.NewDecoder(resp.Body).Decode(&wrapper); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return &wrapper.Passport, nil
}
