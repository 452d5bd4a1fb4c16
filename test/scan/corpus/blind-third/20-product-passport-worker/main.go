package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/acme/dpp-worker/internal/dpp"
	"github.com/acme/dpp-worker/internal/store"
	"github.com/acme/dpp-worker/internal/sync"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := store.Open(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	w := &sync.Worker{
		Client: dpp.New(os.Getenv("DPP_REGISTRY_URL"), os.Getenv("DPP_API_KEY")),
		Store:  db,
		Every:  15 * time.Minute,
	}
	if err := w.Run(ctx); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}
