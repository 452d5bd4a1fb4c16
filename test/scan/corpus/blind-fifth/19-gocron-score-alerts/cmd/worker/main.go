package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"

	"github.com/robfig/cron/v3"

	"example.org/scorealerts/internal/alerts"
	"example.org/scorealerts/internal/store"
	"example.org/scorealerts/internal/upstream"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	db, err := store.Open(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		slog.Error("database", "err", err)
		os.Exit(1)
	}
	job := alerts.Job{
		API:     upstream.New(os.Getenv("TALENT_BASE_URL"), os.Getenv("TALENT_API_KEY")),
		Store:   db,
		Webhook: os.Getenv("SLACK_WEBHOOK"),
	}

	c := cron.New()
	if _, err := c.AddFunc("@every 6h", func() {
		if err := job.Run(ctx); err != nil {
			slog.Error("run failed", "err", err)
		}
	}); err != nil {
		panic(err)
	}
	c.Start()
	<-ctx.Done()
	<-c.Stop().Done()
}
