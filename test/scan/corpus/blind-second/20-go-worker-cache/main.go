package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"

	"github.com/acme/score-worker/internal/passport"
	"github.com/acme/score-worker/internal/store"
)

var githubTypes = map[string]bool{"github": true, "github_contributions": true}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		slog.Error("database", "err", err)
		os.Exit(1)
	}
	db := &store.Store{Pool: pool}
	svc := passport.New(redis.NewClient(&redis.Options{Addr: os.Getenv("REDIS_ADDR")}), os.Getenv("TALENT_API_KEY"))

	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			refresh(ctx, db, svc)
		}
	}
}

func refresh(ctx context.Context, db *store.Store, svc *passport.Service) {
	wallets, err := db.Wallets(ctx, 20)
	if err != nil {
		slog.Error("wallets", "err", err)
		return
	}
	for _, w := range wallets {
		rec, err := svc.Get(ctx, w)
		if err != nil {
			slog.Warn("skipping", "wallet", w, "err", err)
			continue
		}
		b := store.Builder{
			Wallet:    w,
			Score:     rec.Score,
			Points:    svc.Points(ctx, rec.ID, githubTypes),
			Human:     rec.Human,
			UpdatedAt: time.Now(),
		}
		if err := db.Save(ctx, b); err != nil {
			slog.Error("save", "wallet", b.Wallet, "err", err)
			continue
		}
		slog.Info("saved", "wallet", b.Wallet, "score", b.Score, "wallets", len(rec.Wallets))
	}
}
