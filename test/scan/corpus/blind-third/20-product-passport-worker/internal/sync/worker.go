package sync

import (
	"context"
	"log/slog"
	"time"

	"github.com/acme/dpp-worker/internal/dpp"
)

type Store interface {
	LastRun(ctx context.Context) (time.Time, error)
	Save(ctx context.Context, row Row) error
}

type Row struct {
	ID            string
	Title         string
	Score         float64
	RecycledShare float64
	Certified     bool
}

type Worker struct {
	Client *dpp.Client
	Store  Store
	Every  time.Duration
}

func (w *Worker) Run(ctx context.Context) error {
	t := time.NewTicker(w.Every)
	defer t.Stop()
	for {
		if err := w.once(ctx); err != nil {
			slog.Error("sync", "err", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

func (w *Worker) once(ctx context.Context) error {
	since, err := w.Store.LastRun(ctx)
	if err != nil {
		return err
	}
	passports, err := w.Client.Changed(ctx, since)
	if err != nil {
		return err
	}
	for _, p := range passports {
		if p.Score == 0 {
			// the list leaves the score out for new products
			full, err := w.Client.Get(ctx, p.ID)
			if err != nil {
				slog.Warn("passport", "id", p.ID, "err", err)
				continue
			}
			p = *full
		}
		if err := w.Store.Save(ctx, toRow(p)); err != nil {
			return err
		}
	}
	slog.Info("synced", "count", len(passports))
	return nil
}

func toRow(p dpp.Passport) Row {
	row := Row{ID: p.ID, Title: p.Name + " (" + p.Category + ")", Score: p.Score, Certified: len(p.Certificates) > 0}
	for _, m := range p.Materials {
		if m.Recycled {
			row.RecycledShare += m.Share
		}
	}
	return row
}
