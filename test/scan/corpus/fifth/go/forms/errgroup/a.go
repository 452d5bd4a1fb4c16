package a

import (
	"context"
	"encoding/json"
	"net/http"
	"golang.org/x/sync/errgroup"
)

type P struct {
	Passport struct {
		Score float64 `json:"score"`
	} `json:"passport"`
}
type C struct {
	L []struct{ Max float64 `json:"max_score"` } `json:"passport_credentials"`
}

func fetch(ctx context.Context, u string, v any) error {
	req, _ := http.NewRequestWithContext(ctx, "GET", u, nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(v)
}

func both(ctx context.Context, base, id string) (float64, error) {
	var p P
	var c C
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return fetch(ctx, base+"/api/v1/passports/"+id, &p) }) // call: passport
	g.Go(func() error {
		return fetch(ctx, base+"/api/v1/passport_credentials?passport_id="+id, &c) // call: passport-credentials
	})
	if err := g.Wait(); err != nil {
		return 0, err
	}
	s := p.Passport.Score // read: passport.score
	for _, x := range c.L {
		s += x.Max // read: passport_credentials[].max_score
	}
	return s, nil
}
