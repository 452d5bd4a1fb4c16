package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

type fetcher func(id string) (*doc, error)

type doc struct {
	Passport passport `json:"passport"`
}
type passport struct {
	Activity float64    `json:"activity_score"`
	At       *time.Time `json:"last_calculated_at"`
	Profile  *profile   `json:"passport_profile"`
}
type profile struct {
	DisplayName string `json:"display_name"`
}

func newFetcher(base string) fetcher {
	client := &http.Client{Timeout: 5 * time.Second}
	return func(id string) (*doc, error) {
		var b strings.Builder
		b.WriteString(base)
		b.WriteString("/api/v1/passports/")
		b.WriteString(id)
		resp, err := client.Get(b.String()) // call: passport
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		d := new(doc)
		if err := json.NewDecoder(resp.Body).Decode(d); err != nil {
			return nil, err
		}
		return d, nil
	}
}

func retry(f fetcher, n int) fetcher {
	return func(id string) (d *doc, err error) {
		for i := 0; i < n; i++ {
			if d, err = f(id); err == nil {
				return d, nil
			}
		}
		return nil, err
	}
}

func withTiming(f fetcher) fetcher {
	return func(id string) (*doc, error) {
		start := time.Now()
		defer func() { fmt.Println(time.Since(start)) }()
		return f(id)
	}
}

func main() {
	get := withTiming(retry(newFetcher("https://rep.example.org"), 3))
	ids := []string{"1", "2"}
	docs := make([]*doc, len(ids))
	var g errgroup.Group
	for i, id := range ids {
		g.Go(func() error {
			d, err := get(id)
			if err != nil {
				return err
			}
			docs[i] = d
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
	var mu sync.Mutex
	seen := map[string]float64{}
	each(docs, func(d *doc) {
		mu.Lock()
		defer mu.Unlock()
		if d.Passport.Profile != nil { // read: passport.passport_profile
			seen[d.Passport.Profile.DisplayName] = d.Passport.Activity // read: passport.activity_score, passport.passport_profile.display_name
		}
	})
	for _, d := range docs {
		p := &d.Passport
		if p.At != nil && time.Since(*p.At) > time.Hour { // read: passport.last_calculated_at
			fmt.Println("old")
		}
	}
}

func each(docs []*doc, f func(*doc)) {
	for _, d := range docs {
		f(d)
	}
}
