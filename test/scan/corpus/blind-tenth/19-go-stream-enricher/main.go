package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

func main() {
	cfg, err := loadConfig()
	if err != nil {
		slog.Error("config", "err", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	rdb := redis.NewClient(&redis.Options{Addr: cfg.RedisAddr})
	l := &lookup{cfg: cfg, limiter: rate.NewLimiter(rate.Every(400*time.Millisecond), 5)}
	jobs := make(chan redis.XMessage)

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(jobs)
		return consume(ctx, rdb, cfg, jobs)
	})
	for range cfg.Workers {
		g.Go(func() error {
			for msg := range jobs {
				if err := handle(ctx, rdb, l, cfg, msg); err != nil {
					slog.Error("enrich", "id", msg.ID, "err", err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil && ctx.Err() == nil {
		os.Exit(1)
	}
}

func consume(ctx context.Context, rdb *redis.Client, cfg config, jobs chan<- redis.XMessage) error {
	for {
		streams, err := rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: cfg.Group, Consumer: "main", Streams: []string{cfg.Stream, ">"}, Count: 20, Block: 5 * time.Second,
		}).Result()
		if err == redis.Nil {
			continue
		}
		if err != nil {
			return err
		}
		for _, msg := range streams[0].Messages {
			jobs <- msg
		}
	}
}

func handle(ctx context.Context, rdb *redis.Client, l *lookup, cfg config, msg redis.XMessage) error {
	amount, err := strconv.ParseFloat(msg.Values["amount"].(string), 64)
	if err != nil {
		return err
	}
	result, err := enrich(ctx, l, payment{
		ID:       msg.ID,
		Payer:    msg.Values["wallet"].(string),
		Currency: msg.Values["currency"].(string),
		Amount:   amount,
	})
	if err != nil {
		return err
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return err
	}
	if err := rdb.XAdd(ctx, &redis.XAddArgs{Stream: cfg.Stream + ":enriched", Values: []any{"data", raw}}).Err(); err != nil {
		return err
	}
	slog.Info("enriched", "id", msg.ID, "score", result.Score, "trusted", result.Trusted)
	return rdb.XAck(ctx, cfg.Stream, cfg.Group, msg.ID).Err()
}
