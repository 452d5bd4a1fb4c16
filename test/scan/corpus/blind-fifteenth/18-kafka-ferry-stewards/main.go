package main

import (
	"context"
	"encoding/json"
	"os/signal"
	"syscall"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
	"github.com/rs/zerolog/log"
	"github.com/segmentio/kafka-go"
	"github.com/spf13/viper"

	"gitlab.com/islandlines/steward-enricher/enrich"
	"gitlab.com/islandlines/steward-enricher/store"
)

type applied struct {
	ApplicationID string `json:"application_id"`
	Wallet        string `json:"wallet"`
	Name          string `json:"name"`
	Harbour       string `json:"harbour"`
}

func main() {
	viper.SetConfigFile("config.yaml")
	viper.AutomaticEnv()
	_ = viper.BindEnv("reputation.key", "REPUTATION_KEY")
	if err := viper.ReadInConfig(); err != nil {
		log.Fatal().Err(err).Msg("config")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	db := store.New(sqlx.MustConnect("postgres", viper.GetString("postgres")))
	rep := enrich.NewReputation(viper.GetString("reputation.url"), viper.GetString("reputation.key"))

	r := kafka.NewReader(kafka.ReaderConfig{
		Brokers: viper.GetStringSlice("kafka.brokers"),
		Topic:   viper.GetString("kafka.topic"),
		GroupID: viper.GetString("kafka.group"),
	})
	defer r.Close()

	for {
		msg, err := r.FetchMessage(ctx)
		if err != nil {
			log.Info().Err(err).Msg("reader stopped")
			return
		}
		var ev applied
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			log.Warn().Err(err).Int64("offset", msg.Offset).Msg("skipping malformed event")
			_ = r.CommitMessages(ctx, msg)
			continue
		}
		if err := handle(ctx, rep, db, ev); err != nil {
			log.Error().Err(err).Str("application", ev.ApplicationID).Msg("handle")
			continue
		}
		_ = r.CommitMessages(ctx, msg)
	}
}

func handle(ctx context.Context, rep *enrich.Reputation, db *store.Store, ev applied) error {
	row := store.Steward{Application: ev.ApplicationID, Name: ev.Name, Harbour: ev.Harbour}
	doc := rep.Lookup(ctx, ev.Wallet)
	if doc != nil {
		enrich.Apply(&row, doc)
		row.Proofs = rep.Proofs(ctx, doc)
	}
	return db.Upsert(ctx, row)
}
