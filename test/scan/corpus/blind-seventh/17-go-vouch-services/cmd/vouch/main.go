// Command vouch shows passports in the terminal.
//
//	vouch show 0xabc…
//	vouch top -n 20 -human ana
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"text/tabwriter"

	"github.com/oriolfm/vouch/vouch"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	opts := []vouch.Option{vouch.WithKey(os.Getenv("VOUCH_KEY"))}
	if base := os.Getenv("VOUCH_BASE_URL"); base != "" {
		opts = append(opts, vouch.WithBaseURL(base))
	}
	client := vouch.New(opts...)

	if len(os.Args) < 3 {
		log.Fatal("usage: vouch show <wallet> | vouch top [-n N] [-human] <keyword>")
	}
	var err error
	switch os.Args[1] {
	case "show":
		err = show(ctx, client, os.Args[2])
	case "top":
		err = top(ctx, client, os.Args[2:])
	default:
		err = fmt.Errorf("unknown command %q", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

func show(ctx context.Context, client *vouch.Client, ref string) error {
	p, err := client.Passports.Lookup(ctx, ref)
	if err != nil {
		return err
	}
	if p == nil {
		return fmt.Errorf("nobody has a passport for %s", ref)
	}
	fmt.Printf("%s (#%d)\n%s\n\n", p.Title(), p.PassportID, p.Profile.Bio)
	fmt.Printf("score    %.0f\n", *p.Score)
	fmt.Printf("activity %.0f, identity %.0f, skills %.0f\n", p.ActivityScore, p.IdentityScore, p.SkillsScore)
	if !p.LastCalculatedAt.IsZero() {
		fmt.Println("as of   ", p.LastCalculatedAt.Format("2006-01-02"))
	}
	if client.Credentials.Has(ctx, p.PassportID, "active_wallet") {
		fmt.Println("has an active wallet")
	}
	for _, s := range p.Socials {
		fmt.Printf("%-12s %s %s (%s followers)\n", s.Source, s.ProfileName, s.ProfileURL, s.FollowerCount)
	}

	creds, err := client.Credentials.List(ctx, p.PassportID)
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(os.Stdout, 2, 4, 2, ' ', 0)
	defer tw.Flush()
	for _, c := range creds {
		value := "-"
		if c.Value != nil {
			value = *c.Value
		}
		fmt.Fprintf(tw, "%s\t%s\t%g/%g\t%s\n", c.Category, c.Name, c.Score, c.MaxScore, value)
	}
	return nil
}

func top(ctx context.Context, client *vouch.Client, args []string) error {
	fs := flag.NewFlagSet("top", flag.ExitOnError)
	n := fs.Int("n", 10, "how many")
	human := fs.Bool("human", false, "only with the human checkmark")
	if err := fs.Parse(args); err != nil {
		return err
	}
	seen := 0
	for p, err := range client.Passports.All(ctx, fs.Arg(0)) {
		if err != nil {
			return err
		}
		if *human && !p.HumanCheckmark {
			continue
		}
		fmt.Printf("%3d. %-30s %6.0f  %s\n", seen+1, p.Title(), *p.Score, p.Profile.Location)
		if seen++; seen == *n {
			break
		}
	}
	return nil
}
