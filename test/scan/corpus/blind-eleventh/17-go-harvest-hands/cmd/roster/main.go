package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"text/tabwriter"

	"github.com/orchardcoop/harvesthands/internal/crew"
	"github.com/orchardcoop/harvesthands/standing"
)

func main() {
	host := flag.String("host", standing.DefaultHost, "standing service")
	place := flag.String("search", "", "also list people found by this name")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, err := standing.New(*host, standing.WithKey(os.Getenv("STANDING_KEY")))
	if err != nil {
		log.Fatal(err)
	}

	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	for _, ref := range flag.Args() {
		h := crew.Load(ctx, client, ref)
		fmt.Fprintf(tw, "%s\t%s\t%.0f\t%d\t%v\n", ref, h.Name, h.Score, h.Proofs, h.Lead)
	}
	if *place == "" {
		return
	}
	for p, err := range client.People(ctx, *place) {
		if err != nil {
			log.Print("search stopped: ", err)
			break
		}
		fmt.Fprintf(tw, "%d\t%s\t%s\t%d\n", p.ID, p.Profile.DisplayName, p.Profile.Location, p.Connections)
	}
}
