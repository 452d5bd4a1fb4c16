package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/opendocs-hub/contribsync/internal/github"
	"github.com/opendocs-hub/contribsync/internal/sync"
	"github.com/opendocs-hub/contribsync/internal/talent"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		slog.Error("database", "err", err)
		os.Exit(1)
	}
	defer pool.Close()

	job := sync.Job{
		DB:     pool,
		GitHub: github.Client{Token: os.Getenv("GITHUB_TOKEN")},
		Talent: talent.NewClient(os.Getenv("TALENT_API_KEY"), talent.WithBaseURL(os.Getenv("TALENT_API_URL"))),
		Repo:   "opendocs-hub/handbook",
	}
	tick := time.NewTicker(6 * time.Hour)
	defer tick.Stop()
	for {
		if err := job.Run(ctx); err != nil {
			slog.Error("sync failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
