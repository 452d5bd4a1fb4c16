package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jmoiron/sqlx"
)

type Steward struct {
	Application string         `db:"application"`
	Name        string         `db:"name"`
	Harbour     string         `db:"harbour"`
	Home        string         `db:"home"`
	Wallet      string         `db:"wallet"`
	PassportID  float64        `db:"passport_id"`
	Score       float64        `db:"score"`
	Human       bool           `db:"human"`
	ScoredAt    *time.Time     `db:"scored_at"`
	LinkedIn    string         `db:"linkedin"`
	Farcaster   string         `db:"farcaster"`
	Proofs      map[string]int `db:"-"`
	ProofsJSON  []byte         `db:"proofs"`
}

type Store struct{ db *sqlx.DB }

func New(db *sqlx.DB) *Store { return &Store{db} }

func (s *Store) Upsert(ctx context.Context, row Steward) error {
	row.ProofsJSON, _ = json.Marshal(row.Proofs)
	_, err := s.db.NamedExecContext(ctx, `
		INSERT INTO stewards (application, name, harbour, home, wallet, passport_id, score, human, scored_at, linkedin, farcaster, proofs)
		VALUES (:application, :name, :harbour, :home, :wallet, :passport_id, :score, :human, :scored_at, :linkedin, :farcaster, :proofs)
		ON CONFLICT (application) DO UPDATE SET score = excluded.score, human = excluded.human, proofs = excluded.proofs`, row)
	return err
}
