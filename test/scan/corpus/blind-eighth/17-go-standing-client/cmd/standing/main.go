// Command standing prints reputation records.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ostrowski-labs/standing"
)

func main() {
	log.SetFlags(0)
	keyword := flag.String("keyword", "", "list passports of that name instead")
	limit := flag.Int("n", 25, "how many to list")
	proofs := flag.Bool("proofs", false, "credentials too")
	flag.Parse()

	opts := []standing.Option{
		standing.WithKey(os.Getenv("STANDING_KEY")),
		standing.WithRate(25, 10*time.Second),
		standing.WithRetries(2),
	}
	if base := os.Getenv("STANDING_URL"); base != "" {
		opts = append(opts, standing.WithBaseURL(base))
	}
	c := standing.New(opts...)
	ctx := context.Background()

	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()

	if *keyword != "" {
		n := 0
		for p, err := range c.All(ctx, *keyword) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Fprintf(tw, "%d\t%s\t%.0f\t%s\n", p.PassportID, p.Profile.DisplayName, *p.Score, p.Profile.Location)
			if n++; n == *limit {
				break
			}
		}
		return
	}

	for _, id := range flag.Args() {
		p, err := c.Passport(ctx, id)
		if errors.Is(err, standing.ErrNotFound) {
			fmt.Fprintf(tw, "%s\tnobody\n", id)
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		show(tw, p)
		if *proofs {
			creds, _ := c.Credentials(ctx, id)
			for _, cr := range creds {
				fmt.Fprintf(tw, "\t%s\t%s\t%.0f/%.0f\t%s\n", cr.Category, cr.Name, cr.Score, cr.MaxScore, cr.Value)
			}
		}
	}
}

func show(tw *tabwriter.Writer, p *standing.Passport) {
	mark := ""
	if p.HumanCheckmark {
		mark = "human"
	}
	if p.CalculatingScore || p.Stale(30*24*time.Hour) {
		mark += " (old)"
	}
	fmt.Fprintf(tw, "%s\t%.0f\t%s\n", p.Profile.DisplayName, *p.Score, mark)
	fmt.Fprintf(tw, "  skills %.0f\tactivity %.0f\tidentity %.0f\n", p.SkillsScore, p.ActivityScore, p.IdentityScore)
	fmt.Fprintf(tw, "  %s\n", strings.Join(p.VerifiedWallets, " "))
	for _, s := range p.Socials {
		fmt.Fprintf(tw, "  %s\t%s\t%d\n", s.Source, s.ProfileURL, s.Followers())
	}
}
