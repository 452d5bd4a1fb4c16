package sync

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/opendocs-hub/contribsync/internal/github"
	"github.com/opendocs-hub/contribsync/internal/talent"
)

type Job struct {
	DB     *pgxpool.Pool
	GitHub github.Client
	Talent *talent.Client
	Repo   string
}

const upsert = `insert into contributors (login, passport_id, name, location, score, skills, human, wallets)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (login) do update set name = excluded.name, score = excluded.score, skills = excluded.skills, human = excluded.human`

func (j *Job) Run(ctx context.Context) error {
	contributors, err := j.GitHub.Contributors(ctx, j.Repo)
	if err != nil {
		return err
	}
	commits := make(map[string]int, len(contributors))
	for _, c := range contributors {
		commits[strings.ToLower(c.Login)] = c.Contributions
	}

	rows, err := j.DB.Query(ctx, `select wallet from claims where confirmed`)
	if err != nil {
		return err
	}
	wallets, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, w := range wallets {
		p, err := j.Talent.GetPassport(ctx, w)
		var se *talent.StatusError
		if errors.As(err, &se) && se.Code == http.StatusNotFound {
			continue
		}
		if err != nil {
			return err
		}
		login := strings.ToLower(p.Handle("github"))
		if p.Merged || commits[login] == 0 {
			slog.Info("skipped", "wallet", w, "login", login)
			continue
		}
		if err := j.store(ctx, login, p); err != nil {
			return err
		}
	}
	return nil
}

func (j *Job) store(ctx context.Context, login string, p *talent.Passport) error {
	_, err := j.DB.Exec(ctx, upsert,
		login, p.ID, p.Profile.DisplayName, p.Profile.Location,
		*p.Score, p.SkillsScore, p.HumanCheckmark, p.Wallets)
	if err != nil {
		return err
	}

	creds, err := j.Talent.ListCredentials(ctx, p.ID)
	if err != nil {
		slog.Warn("credentials", "passport", p.ID, "err", err)
		return nil
	}
	batch := &pgx.Batch{}
	for _, c := range creds {
		if c.EarnedAt == nil {
			continue
		}
		batch.Queue(`insert into contributor_badges (id, login, kind, label, points, earned) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
			c.ID, login, c.Type, c.Name, c.Score, *c.EarnedAt)
	}
	return j.DB.SendBatch(ctx, batch).Close()
}
