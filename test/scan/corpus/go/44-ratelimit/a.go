package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

var errNotFound = errors.New("not found")

type roundTripper struct {
	next http.RoundTripper
	key  string
}

func (rt roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-API-KEY", rt.key)
	return rt.next.RoundTrip(r)
}

type Fetcher struct {
	*http.Client
	limit *rate.Limiter
	root  string
}

func (f *Fetcher) json(ctx context.Context, path string, dst any) (err error) {
	if err = f.limit.Wait(ctx); err != nil {
		return
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	req, err := http.NewRequestWithContext(ctx, "GET", f.root+path, http.NoBody)
	if err != nil {
		return err
	}
	var res *http.Response
	for attempt := 0; attempt < 3; attempt++ {
		res, err = f.Do(req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		break
	}
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if dump, e := httputil.DumpResponse(res, false); e == nil {
		log.Printf("%s", dump)
	}
	switch {
	case res.StatusCode == http.StatusNotFound:
		return errNotFound
	case res.StatusCode != 200:
		return fmt.Errorf("status %d", res.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, dst)
}

type passport struct {
	ID       json.Number `json:"passport_id"`
	Score    int         `json:"score"`
	Wallets  []string    `json:"verified_wallets"`
	Identity float32     `json:"identity_score"`
}

type passportReply struct{ Passport passport }

func (f *Fetcher) one(ctx context.Context, id string) (passport, error) {
	var reply passportReply
	err := f.json(ctx, "/passports/"+id, &reply) // call: passport
	return reply.Passport, err
}

func main() {
	f := Fetcher{
		Client: &http.Client{Transport: roundTripper{http.DefaultTransport, os.Getenv("KEY")}},
		limit:  rate.NewLimiter(2, 1),
		root:   os.Getenv("REP") + "/api/v1",
	}
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		best *passport
		all  = map[string]passport{}
	)
	for _, id := range os.Args[1:] {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p, err := f.one(context.Background(), id)
			if errors.Is(err, errNotFound) {
				return
			} else if err != nil {
				log.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			all[id] = p
			if best == nil || p.Score > best.Score { // read: passport.score
				best = &p
			}
		}()
	}
	wg.Wait()
	if best != nil {
		fmt.Println(best.ID, len(best.Wallets)) // read: passport.passport_id, passport.verified_wallets[]
	}
	for id, p := range all {
		fmt.Printf("%s %.1f\n", id, p.Identity) // read: passport.identity_score
	}
}
