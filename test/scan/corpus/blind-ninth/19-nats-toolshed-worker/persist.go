package main

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const upsert = `
INSERT INTO borrower_vetting (borrower_id, passport_id, display_name, score, handle, licences, calculated_at)
VALUES (@borrower, @passport, @name, @score, @handle, @licences, @calculated)
ON CONFLICT (borrower_id) DO UPDATE
SET score = EXCLUDED.score, handle = EXCLUDED.handle, licences = EXCLUDED.licences`

func persist(ctx context.Context, db *pgxpool.Pool, in <-chan vetted) {
	for v := range in {
		profile, _ := v.Record["passport_profile"].(map[string]any)
		_, err := db.Exec(ctx, upsert, pgx.NamedArgs{
			"borrower":   v.BorrowerID,
			"passport":   v.Record["passport_id"],
			"name":       text(profile, "display_name"),
			"score":      number(v.Record, "score"),
			"handle":     handle(v.Record),
			"licences":   v.Licences,
			"calculated": v.Record["last_calculated_at"],
		})
		if err != nil {
			log.Printf("persist %s: %v", v.BorrowerID, err)
		}
	}
}

func bestScore(ctx context.Context, db *pgxpool.Pool) (score float64, err error) {
	err = db.QueryRow(ctx, `SELECT coalesce(max(score), 0) FROM borrower_vetting`).Scan(&score)
	return score, err
}
