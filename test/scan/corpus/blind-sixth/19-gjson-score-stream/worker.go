package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/tidwall/gjson"

	"github.com/lumen-guild/score-stream/internal/feed"
	"github.com/lumen-guild/score-stream/internal/rules"
)

type worker struct {
	rdb      *redis.Client
	rules    []rules.Rule
	maxPages int
}

func (w *worker) round(ctx context.Context) (changed int, err error) {
	for n := 1; n <= w.maxPages; n++ {
		list, more, err := feed.Page(n)
		if err != nil {
			return changed, err
		}
		for _, p := range list {
			if p.Get("calculating_score").Bool() {
				continue
			}
			id, score := p.Get("passport_id").Int(), p.Get("score").Float()
			old, known := w.remembered(ctx, id)
			if known && old == score {
				continue
			}
			changed++
			if err := w.publish(ctx, id, old); err != nil {
				slog.Warn("publish", "passport", id, "err", err)
				continue
			}
			w.rdb.HSet(ctx, "scores", strconv.FormatInt(id, 10), score)
		}
		if !more {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	return changed, nil
}

func (w *worker) remembered(ctx context.Context, id int64) (float64, bool) {
	v, err := w.rdb.HGet(ctx, "scores", strconv.FormatInt(id, 10)).Float64()
	return v, err == nil
}

func (w *worker) publish(ctx context.Context, id int64, old float64) error {
	p, err := feed.Detail(id)
	if err != nil {
		return err
	}
	e := event(p)
	e["before"] = old
	e["proofs"] = feed.CredentialTypes(id)
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	for _, r := range w.rules {
		if !r.Match(e) {
			continue
		}
		err := w.rdb.XAdd(ctx, &redis.XAddArgs{
			Stream: r.Channel,
			MaxLen: 10_000,
			Approx: true,
			Values: map[string]any{"rule": r.Name, "body": body},
		}).Err()
		if err != nil {
			return err
		}
	}
	return nil
}

func event(p gjson.Result) rules.Event {
	fields := gjson.GetMany(p.Raw,
		"score",
		"passport_profile.display_name",
		"human_checkmark",
		"verified_wallets.#",
		"last_calculated_at",
	)
	e := rules.Event{
		"points":   fields[0].Float(),
		"title":    fields[1].String(),
		"human":    fields[2].Bool(),
		"wallets":  fields[3].Int(),
		"at":       fields[4].Time(),
		"networks": texts(p.Get("passport_socials.#.source")),
		"topics":   texts(p.Get("passport_profile.tags")),
	}
	if w := p.Get("main_wallet"); w.Type == gjson.String {
		e["wallet"] = w.Str
	}
	var reach int64
	p.Get("passport_socials").ForEach(func(_, s gjson.Result) bool {
		reach += s.Get("follower_count").Int() // gjson reads "12" and 12
		return true
	})
	e["reach"] = reach
	return e
}

func texts(r gjson.Result) []string {
	out := make([]string, 0, 4)
	for _, v := range r.Array() {
		out = append(out, v.String())
	}
	return out
}
