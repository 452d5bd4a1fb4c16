package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"

	"github.com/nightbus/doorlist/builderrep"
	"github.com/nightbus/doorlist/tickets"
)

func main() {
	event := flag.String("event", "", "ticketing event id")
	keyword := flag.String("crew", "", "also let in everybody found by this name")
	flag.Parse()

	ctx := context.Background()
	rep := builderrep.New(os.Getenv("BUILDERREP_KEY"))
	guests, err := tickets.Guests(ctx, *event)
	if err != nil {
		log.Fatal(err)
	}

	out := csv.NewWriter(os.Stdout)
	defer out.Flush()
	for _, g := range guests {
		p, err := rep.Passport(ctx, g.Wallet)
		if err != nil {
			log.Printf("%s: %v", g.Wallet, err)
			_ = out.Write([]string{g.Name, g.Wallet, "0", "regular"})
			continue
		}
		_ = out.Write([]string{p.Name(), g.Wallet, strconv.Itoa(p.Points()), line(ctx, rep, p)})
	}
	if *keyword == "" {
		return
	}
	for p, err := range rep.All(ctx, *keyword) {
		if err != nil {
			log.Fatal(err)
		}
		if p.Profile != nil && slices.Contains(p.Profile.Tags, "crew") {
			_ = out.Write([]string{p.Name(), p.MainWallet, fmt.Sprint(p.ActivityScore + p.IdentityScore), "crew"})
		}
	}
}

// line decides which queue somebody stands in.
func line(ctx context.Context, rep *builderrep.Client, p *builderrep.Passport) string {
	if !p.HumanCheckmark {
		return "regular"
	}
	creds, _ := rep.Credentials(ctx, p)
	for _, c := range creds {
		if c.Type == "poap" && c.EarnedAt != "" {
			log.Printf("%s: %s", c.ID, c.Value)
			return "fast"
		}
	}
	return "regular"
}
