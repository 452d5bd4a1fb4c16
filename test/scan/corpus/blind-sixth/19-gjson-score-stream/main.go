package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/lumen-guild/score-stream/internal/rules"
)

func main() {
	every := flag.Duration("every", 30*time.Minute, "time between rounds")
	pages := flag.Int("pages", 20, "pages of the list")
	file := flag.String("rules", "rules.json", "rules")
	flag.Parse()

	list, err := rules.Load(*file)
	if err != nil {
		slog.Error("rules", "err", err)
		os.Exit(2)
	}
	opts, err := redis.ParseURL(os.Getenv("REDIS_URL"))
	if err != nil {
		slog.Error("redis", "err", err)
		os.Exit(2)
	}
	w := &worker{rdb: redis.NewClient(opts), rules: list, maxPages: *pages}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	tick := time.NewTicker(*every)
	defer tick.Stop()
	for {
		n, err := w.round(ctx)
		slog.Info("round", "changed", n, "err", err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
