package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/wallworks/mural-payouts/internal/rep"
)

type planCmd struct {
	Budget  float64 `required:"" help:"Euros to hand out."`
	Workers int     `default:"3"`
}

func weight(ctx context.Context, api *rep.API, wallet string) float64 {
	p, err := api.Painter(ctx, wallet)
	if err != nil {
		fmt.Fprintln(os.Stderr, "skip", wallet, err)
		return 0
	}
	w := rep.Num(p, "score")
	if human, _ := p["human_checkmark"].(bool); human {
		w *= 1.25
	}
	creds, err := api.Proofs(ctx, rep.Num(p, "passport_id"))
	if err != nil {
		creds = nil
	}
	for _, c := range creds {
		if c["type"] == "zora_creator" {
			w += rep.Num(c, "score")
		}
	}
	return w
}

func (cmd *planCmd) Run(ctx context.Context, g *globals) error {
	book, err := g.ledger()
	if err != nil {
		return err
	}
	api := g.api()
	var mu sync.Mutex
	weights := map[string]float64{}
	total := 0.0

	eg, ctx := errgroup.WithContext(ctx)
	eg.SetLimit(cmd.Workers)
	for _, entry := range book.Entries {
		eg.Go(func() error {
			w := weight(ctx, api, entry.Wallet) * entry.SquareMetres
			mu.Lock()
			defer mu.Unlock()
			weights[entry.Wallet] += w
			total += w
			return ctx.Err()
		})
	}
	if err := eg.Wait(); err != nil {
		return err
	}
	if total == 0 {
		return fmt.Errorf("nobody has any weight")
	}
	wallets := make([]string, 0, len(weights))
	for w := range weights {
		wallets = append(wallets, w)
	}
	sort.Strings(wallets)
	for _, w := range wallets {
		fmt.Printf("%s,%.2f\n", w, cmd.Budget*weights[w]/total)
	}
	return nil
}

type scoutCmd struct {
	Name string `arg:""`
}

func (cmd *scoutCmd) Run(ctx context.Context, g *globals) error {
	found, total, err := g.api().Search(ctx, cmd.Name)
	if err != nil {
		return err
	}
	fmt.Printf("%d of %.0f\n", len(found), total)
	for _, p := range found {
		profile := rep.Obj(p, "passport_profile")
		fmt.Printf("%-24v %6.0f  %v  %v\n", profile["display_name"], p["score"], profile["location"], p["main_wallet"])
	}
	return nil
}

type showCmd struct {
	Wallet string `arg:""`
}

func (cmd *showCmd) Run(ctx context.Context, g *globals) error {
	p, err := g.api().Painter(ctx, cmd.Wallet)
	if err != nil {
		return err
	}
	for _, key := range []string{"score", "skills_score", "activity_score", "identity_score"} {
		fmt.Printf("%-16s %v\n", strings.TrimSuffix(key, "_score"), p[key])
	}
	if at, ok := p["last_calculated_at"].(string); ok {
		fmt.Println("as of           ", at)
	}
	socials, _ := p["passport_socials"].([]any)
	for _, item := range socials {
		s, ok := item.(map[string]any)
		if !ok {
			continue
		}
		fmt.Printf("  %v: %v (%v followers)\n", s["source"], s["profile_url"], s["follower_count"])
	}
	return nil
}
