package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"

	"github.com/tidwall/gjson"
)

type result struct {
	wallet string
	score  int64
	reach  int64
	types  []string
}

func fetch(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, os.Getenv("REP_BASE")+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func process(ctx context.Context, wallet string) (result, error) {
	r := result{wallet: wallet}
	body, err := fetch(ctx, "/api/v1/passports/"+wallet) // call: passport
	if err != nil {
		return r, err
	}
	r.score = gjson.GetBytes(body, "passport.score").Int() // read: passport.score
	for _, social := range gjson.GetBytes(body, "passport.passport_socials").Array() { // read: passport.passport_socials
		r.reach += social.Get("follower_count").Int() // read: passport.passport_socials[].follower_count; hazard: string-number
	}

	id := gjson.GetBytes(body, "passport.passport_id").String() // read: passport.passport_id
	creds, err := fetch(ctx, "/api/v1/passport_credentials?passport_id="+id) // call: passport-credentials
	if err != nil { // hazard: catch-default
		return r, nil
	}
	gjson.GetBytes(creds, "passport_credentials").ForEach(func(_, c gjson.Result) bool {
		r.types = append(r.types, c.Get("type").String()) // read: passport_credentials[].type
		return true
	})
	return r, nil
}

func run(ctx context.Context, jobs <-chan string, out chan<- result) {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for wallet := range jobs {
				r, err := process(ctx, wallet)
				if err != nil {
					slog.Error("job failed", "wallet", wallet, "err", err)
					os.Exit(1)
				}
				out <- r
			}
		}()
	}
	wg.Wait()
	close(out)
}
