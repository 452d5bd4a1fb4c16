package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Passport is a row of our own table; the names come from a dump of long ago.
type Passport struct {
	PassportID     int      `db:"passport_id" json:"passport_id"`
	Score          *float64 `db:"score" json:"score"`
	HumanCheckmark bool     `db:"human_checkmark" json:"human_checkmark"`
	MainWallet     string   `db:"main_wallet" json:"main_wallet"`
	FollowerCount  string   `db:"follower_count" json:"follower_count"`
}

type Store struct {
	DB *sqlx.DB
}

func (s *Store) Top(ctx context.Context, n int) ([]Passport, error) {
	var passports []Passport
	err := s.DB.SelectContext(ctx, &passports, "select * from passports order by score desc limit $1", n)
	return passports, err
}

func (s *Store) Points(ctx context.Context, wallet string) float64 {
	var p Passport
	if err := s.DB.GetContext(ctx, &p, "select * from passports where main_wallet = $1", wallet); err != nil {
		return 0
	}
	if p.Score == nil {
		return 0
	}
	return *p.Score
}
