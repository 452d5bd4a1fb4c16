package store

import (
	"context"
	"database/sql"
	"time"

	_ "github.com/lib/pq"

	"github.com/acme/dpp-worker/internal/sync"
)

type DB struct{ db *sql.DB }

func Open(dsn string) (*DB, error) {
	db, err := sql.Open("postgres", dsn)
	return &DB{db}, err
}

func (d *DB) LastRun(ctx context.Context) (t time.Time, err error) {
	err = d.db.QueryRowContext(ctx, `SELECT coalesce(max(synced_at), 'epoch') FROM product_passports`).Scan(&t)
	return
}

func (d *DB) Save(ctx context.Context, r sync.Row) error {
	_, err := d.db.ExecContext(ctx, `INSERT INTO product_passports (id, title, score, recycled, certified, synced_at)
		VALUES ($1,$2,$3,$4,$5,now()) ON CONFLICT (id) DO UPDATE SET score = excluded.score, synced_at = now()`,
		r.ID, r.Title, r.Score, r.RecycledShare, r.Certified)
	return err
}
