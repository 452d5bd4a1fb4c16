package alerts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"golang.org/x/sync/errgroup"

	"example.org/scorealerts/internal/store"
	"example.org/scorealerts/internal/upstream"
)

type Job struct {
	API     *upstream.Client
	Store   *store.Store
	Webhook string
}

// observation is our own row; the names follow the columns of the table.
type observation struct {
	PassportID int
	Name       string
	Score      float64
	Human      bool
}

func num(r upstream.Record, key string) float64 {
	f, _ := r[key].(float64)
	return f
}

func observe(r upstream.Record) observation {
	o := observation{
		PassportID: int(num(r, "passport_id")),
		Score:      num(r, "score"),
	}
	o.Human, _ = r["human_checkmark"].(bool)
	if profile, ok := r["passport_profile"].(map[string]any); ok {
		o.Name, _ = profile["display_name"].(string)
	}
	return o
}

func (j Job) Run(ctx context.Context) error {
	top, err := j.API.Top(ctx, 100)
	if err != nil {
		return err
	}
	watched, err := j.Store.Watched(ctx)
	if err != nil {
		return err
	}

	extra := make([]upstream.Record, len(watched))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i, wallet := range watched {
		g.Go(func() error {
			p, err := j.API.Passport(gctx, wallet)
			if err != nil {
				slog.Warn("watched wallet", "wallet", wallet, "err", err)
				return nil
			}
			extra[i] = p
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}

	for _, r := range append(top, extra...) {
		if r == nil || r["calculating_score"] == true {
			continue
		}
		o := observe(r)
		before, err := j.Store.Last(ctx, o.PassportID)
		if err != nil {
			return err
		}
		if before > 0 && o.Score < before*0.8 {
			wallets, _ := r["verified_wallets"].([]any)
			text := fmt.Sprintf("%s fell from %.0f to %.0f (%d wallets, at %v)", o.Name, before, o.Score, len(wallets), r["last_calculated_at"])
			if err := j.post(ctx, text); err != nil {
				slog.Error("slack", "err", err)
			}
		}
		if err := j.Store.Save(ctx, o.PassportID, o.Name, o.Score, o.Human); err != nil {
			return err
		}
	}
	return nil
}

func (j Job) post(ctx context.Context, text string) error {
	raw, _ := json.Marshal(map[string]string{"text": text})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, j.Webhook, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
