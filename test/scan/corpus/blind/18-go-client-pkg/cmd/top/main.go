package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"text/tabwriter"

	"example.com/passports/passport"
)

var errDone = errors.New("done")

func main() {
	n := flag.Int("n", 20, "how many")
	creds := flag.Bool("credentials", false, "print maxed credentials too")
	flag.Parse()

	c := passport.New(os.Getenv("PASSPORT_URL"), os.Getenv("PASSPORT_KEY"))
	ctx := context.Background()
	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()

	count := 0
	err := c.All(ctx, flag.Arg(0), func(p passport.Passport) error {
		count++
		fmt.Fprintf(tw, "%d\t%.0f\t%s\t%d\n", p.ID, *p.Score, p.MainWallet, len(p.VerifiedWallets))
		if p.LastCalculatedAt == nil {
			fmt.Fprintln(tw, "\tnever calculated")
		}
		if *creds {
			list, err := c.Credentials(ctx, strconv.FormatInt(p.ID, 10))
			if err != nil {
				return err
			}
			for _, cr := range list {
				if cr.Score == cr.MaxScore {
					fmt.Fprintf(tw, "\t%s\n", cr.Type)
				}
			}
		}
		if count >= *n {
			return errDone
		}
		return nil
	})
	if err != nil && !errors.Is(err, errDone) {
		log.Fatal(err)
	}
}
