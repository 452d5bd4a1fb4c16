package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

type signup struct {
	BorrowerID string `json:"borrower_id"`
	Wallet     string `json:"wallet"`
	City       string `json:"city"`
}

type vetted struct {
	BorrowerID string
	Record     map[string]any
	Licences   []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	nc, err := nats.Connect(os.Getenv("NATS_URL"), nats.Name("vetting-worker"))
	if err != nil {
		log.Fatal(err)
	}
	defer nc.Drain()
	db, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	done := make(chan vetted, 16)
	go persist(ctx, db, done)

	_, err = nc.QueueSubscribe("borrowers.signup", "vetting", func(m *nats.Msg) {
		var s signup
		if err := json.Unmarshal(m.Data, &s); err != nil {
			log.Printf("bad signup: %v", err)
			return
		}
		record := lookup(ctx, s.Wallet)
		done <- vetted{BorrowerID: s.BorrowerID, Record: record, Licences: licences(ctx, s.Wallet)}
		answer, _ := json.Marshal(map[string]any{"borrower_id": s.BorrowerID, "deposit": deposit(record)})
		_ = nc.Publish("borrowers.vetted", answer)
	})
	if err != nil {
		log.Fatal(err)
	}

	tick := time.NewTicker(6 * time.Hour)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			close(done)
			return
		case <-tick.C:
			if n, err := headcount(ctx, "maker"); err != nil {
				log.Printf("headcount: %v", err)
			} else {
				_ = nc.Publish("borrowers.headcount", []byte(n))
			}
		}
	}
}
