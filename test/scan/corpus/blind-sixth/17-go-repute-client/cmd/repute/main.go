// Command repute prints passports and credentials.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"

	"go.guildhall.dev/repute/repute"
)

func main() {
	var (
		base  = flag.String("api", cmp.Or(os.Getenv("REPUTE_API"), repute.DefaultBaseURL), "base address")
		limit = flag.Int("n", 20, "rows to print")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client := repute.New(repute.WithBaseURL(*base), repute.WithKey(os.Getenv("REPUTE_KEY")), repute.WithRetries(2))

	var err error
	switch cmd := flag.Arg(0); cmd {
	case "show":
		err = show(ctx, client, flag.Arg(1))
	case "find":
		err = find(ctx, client, strings.Join(flag.Args()[1:], " "), *limit)
	default:
		err = fmt.Errorf("usage: repute [-api url] show <wallet> | find <name>, not %q", cmd)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(ctx context.Context, c *repute.Client, who string) error {
	p, err := c.Passport(ctx, who)
	if err != nil {
		return err
	}
	profile := p.PassportProfile
	fmt.Printf("#%d %s, %s\n", p.PassportID, profile.DisplayName.Or("?"), profile.Location.Or("nowhere"))
	fmt.Printf("score %.0f = %.0f activity, %.0f identity, %.0f skills (%s)\n",
		p.Score.Or(0), p.ActivityScore, p.IdentityScore, p.SkillsScore, p.LastCalculatedAt.Or("never"))
	if p.Merged {
		fmt.Println("merged into another passport")
	}
	for _, s := range p.PassportSocials {
		fmt.Printf("  %-10s %s (%d)\n", s.Source, s.ProfileName, s.FollowerCount)
	}

	list, err := c.Credentials(ctx, p.PassportID)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b repute.Credential) int {
		return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(b.Score, a.Score))
	})
	w := tabwriter.NewWriter(os.Stdout, 2, 8, 2, ' ', 0)
	for _, cr := range list {
		fmt.Fprintf(w, "%s\t%s\t%.0f/%.0f\t%s\t%s\n", cr.Category, cr.Name, cr.Score, cr.MaxScore, cr.Value.Or("-"), cr.EarnedAt.Or("-"))
	}
	return w.Flush()
}

func find(ctx context.Context, c *repute.Client, name string, limit int) error {
	w := tabwriter.NewWriter(os.Stdout, 2, 8, 2, ' ', 0)
	defer w.Flush()
	n := 0
	for p, err := range c.Passports(ctx, name) {
		if err != nil {
			return err
		}
		mark := map[bool]string{true: "✓"}[p.HumanCheckmark]
		fmt.Fprintf(w, "%d\t%s%s\t%s\t%d wallets\t%v\n", p.PassportID, p.PassportProfile.DisplayName.Or(p.MainWallet.V), mark,
			strings.Join(p.PassportProfile.Tags, ","), len(p.VerifiedWallets), p.Score.V)
		if n++; n >= limit {
			break
		}
	}
	return nil
}
