package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/peterbourgon/ff/v3"
	"github.com/peterbourgon/ff/v3/ffcli"

	"sr.ht/~kvist/refs/repute"
)

var (
	root   = flag.NewFlagSet("refs", flag.ExitOnError)
	host   = root.String("host", "https://api.talentprotocol.com", "reputation service")
	apiKey = root.String("api-key", "", "key of the reputation service")
)

func client() (*repute.Client, error) { return repute.NewClient(*host, *apiKey) }

func show(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return flag.ErrHelp
	}
	c, err := client()
	if err != nil {
		return err
	}
	o, err := c.Official(ctx, args[0])
	if err != nil {
		return err
	}
	if o.Merged {
		fmt.Fprintln(os.Stderr, "note: this record was merged into another one")
	}
	fmt.Printf("%s (%s)\n", o.Profile.Name, o.Profile.Location)
	fmt.Printf("score %.0f, activity %.0f, %d peers\n", *o.Total, o.Activity, o.Peers)
	if o.ComputedAt != nil && time.Since(*o.ComputedAt) > 45*24*time.Hour {
		fmt.Println("score is stale since", o.ComputedAt.Format(time.DateOnly))
	}
	for _, a := range o.Addresses {
		fmt.Println("  ", a)
	}

	certs, err := c.Certificates(ctx, o.ID)
	var se repute.StatusError
	if errors.As(err, &se) {
		certs = nil
	} else if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	for _, ct := range certs {
		value := "-"
		if ct.Value != nil {
			value = *ct.Value
		}
		fmt.Fprintf(tw, "%s\t%s\t%.0f\t%s\n", ct.Title, value, ct.Points, ct.EarnedAt)
	}
	return nil
}

func pool(ctx context.Context, sport string, limit int) error {
	c, err := client()
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	n := 0
	for o, err := range c.Officials(ctx, sport) {
		if err != nil {
			return fmt.Errorf("after %d rows: %w", n, err)
		}
		if !o.Verified || !slices.ContainsFunc(o.Profile.Tags, func(t string) bool { return strings.EqualFold(t, "referee") }) {
			continue
		}
		fmt.Fprintf(tw, "%d\t%s\t%.1f\n", o.ID, o.Profile.Name, *o.Total)
		if n++; n == limit {
			break
		}
	}
	return nil
}

func main() {
	poolFlags := flag.NewFlagSet("refs pool", flag.ExitOnError)
	limit := poolFlags.Int("limit", 20, "rows")
	sport := poolFlags.String("sport", "football", "keyword")

	cmd := &ffcli.Command{
		ShortUsage: "refs [flags] <show|pool>",
		FlagSet:    root,
		Options:    []ff.Option{ff.WithEnvVarPrefix("REFS")},
		Subcommands: []*ffcli.Command{
			{Name: "show", ShortUsage: "refs show <wallet|id>", Exec: show},
			{Name: "pool", FlagSet: poolFlags, Exec: func(ctx context.Context, _ []string) error { return pool(ctx, *sport, *limit) }},
		},
		Exec: func(context.Context, []string) error { return flag.ErrHelp },
	}
	if err := cmd.ParseAndRun(context.Background(), os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "refs:", err)
		os.Exit(1)
	}
}
