package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct{ pool *pgxpool.Pool }

func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return &Store{pool}, nil
}

func (s *Store) Watched(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, `select main_wallet from watched order by 1`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Last gives the last known score, or 0 for a passport that is new to us.
func (s *Store) Last(ctx context.Context, passportID int) (float64, error) {
	var score float64
	err := s.pool.QueryRow(ctx,
		`select score from observations where passport_id = $1 order by seen_at desc limit 1`, passportID).Scan(&score)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return score, err
}

func (s *Store) Save(ctx context.Context, passportID int, name string, score float64, human bool) error {
	_, err := s.pool.Exec(ctx,
		`insert into observations (passport_id, display_name, score, human) values ($1, $2, $3, $4)`,
		passportID, name, score, human)
	return err
}
