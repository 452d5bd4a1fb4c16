package main

import (
	"context"
	"database/sql"

	_ "modernc.org/sqlite"
)

type petition struct {
	ID    int64
	Title string
	City  string
	Score float64
}

type store struct{ db *sql.DB }

func (s *store) petition(ctx context.Context, id string) (petition, error) {
	var p petition
	row := s.db.QueryRowContext(ctx, `SELECT id, title, city, score FROM petitions WHERE id = ?`, id)
	return p, row.Scan(&p.ID, &p.Title, &p.City, &p.Score)
}

func (s *store) sign(ctx context.Context, petition int64, wallet string, weight float64) error {
	_, err := s.db.ExecContext(ctx,
		`INSERT INTO signatures (petition_id, wallet, weight) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		petition, wallet, weight)
	return err
}
