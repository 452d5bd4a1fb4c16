package main

import (
	"context"
	"log/slog"

	"example.com/syncworker/api"
	"github.com/jmoiron/sqlx"
)

type memberRow struct {
	Wallet     string  `db:"wallet"`
	Score      float64 `db:"score"`
	MainWallet string  `db:"main_wallet"`
	Merged     bool    `db:"merged"`
}

func scoreOf(p *api.Passport) float64 {
	if p.Score == nil { // read: passport.score; hazard: fallback-default
		return 0
	}
	return *p.Score // read: passport.score
}

func handle(p *api.Passport) string {
	for _, s := range p.Socials { // read: passport.passport_socials
		if s.Source == "farcaster" { // read: passport.passport_socials[].source
			return s.ProfileName // read: passport.passport_socials[].profile_name
		}
	}
	return ""
}

func syncOne(ctx context.Context, db *sqlx.DB, a *api.API, row memberRow) error {
	p, err := a.Passport(ctx, row.Wallet)
	if err != nil { // hazard: catch-default
		slog.Warn("skipping", "wallet", row.Wallet, "err", err)
		return nil
	}
	if p.Merged { // read: passport.merged
		slog.Info("merged passport", "wallet", row.Wallet)
	}
	row.Score = scoreOf(p)
	if p.MainWallet != nil { // read: passport.main_wallet
		row.MainWallet = *p.MainWallet // read: passport.main_wallet
	}
	if row.Score == 0 && !row.Merged {
		slog.Info("no score", "wallet", row.MainWallet, "handle", handle(p))
	}
	_, err = db.NamedExecContext(ctx, `UPDATE members SET score = :score, main_wallet = :main_wallet WHERE wallet = :wallet`, row)
	return err
}

func discover(ctx context.Context, a *api.API, keyword string) ([]int64, error) {
	found, err := a.Search(ctx, keyword)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, f := range found {
		if f.ID != nil && f.Score != nil { // read: passports[].passport_id, passports[].score
			ids = append(ids, *f.ID) // read: passports[].passport_id
		}
	}
	return ids, nil
}
