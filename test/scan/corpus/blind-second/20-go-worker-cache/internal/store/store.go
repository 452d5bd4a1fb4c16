package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Builder is a row of our table.
type Builder struct {
	Wallet    string    `db:"wallet" json:"wallet"`
	Score     int64     `db:"score" json:"score"`
	Points    int64     `db:"points" json:"points"`
	Human     bool      `db:"human" json:"human_checkmark"`
	UpdatedAt time.Time `db:"updated_at" json:"last_calculated_at"`
}

// Store is the database.
type Store struct{ Pool *pgxpool.Pool }

// Wallets returns the wallets that are due.
func (s *Store) Wallets(ctx context.Context, limit int) ([]string, error) {
	rows, err := s.Pool.Query(ctx, `select wallet from builders order by updated_at limit $1`, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var w string
		if err := rows.Scan(&w); err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, rows.Err()
}

// Save writes a row.
func (s *Store) Save(ctx context.Context, b Builder) error {
	_, err := s.Pool.Exec(ctx,
		`update builders set score = $2, points = $3, human = $4, updated_at = $5 where wallet = $1`,
		b.Wallet, b.Score, b.Points, b.Human, b.UpdatedAt)
	return err
}
