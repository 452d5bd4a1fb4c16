package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct{ pool *pgxpool.Pool }

func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return &Store{pool: pool}, nil
}

func (s *Store) Passport(ctx context.Context, id string) (*Passport, error) {
	var p Passport
	row := s.pool.QueryRow(ctx, `select id, frame_number, score, merged, last_inspected_at, display_name, location, tags
		from passports where id = $1`, id)
	err := row.Scan(&p.PassportID, &p.FrameNumber, &p.Score, &p.Merged, &p.InspectedAt,
		&p.Profile.DisplayName, &p.Profile.Location, &p.Profile.Tags)
	if err == pgx.ErrNoRows {
		return nil, nil
	}
	return &p, err
}

func (s *Store) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	rows, err := s.pool.Query(ctx, `select id, name, category, earned_at::text from mechanic_credentials where passport_id = $1`, passportID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Credential])
}
