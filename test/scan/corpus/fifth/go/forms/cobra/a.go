package a

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

var base string

type passport struct {
	Score    float64 `json:"score"`
	Identity float64 `json:"identity_score"`
	Wallet   string  `json:"main_wallet"`
}

func newCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show ID",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := show(args[0])
			if err != nil {
				return err
			}
			tw := tabwriter.NewWriter(os.Stdout, 0, 2, 2, ' ', 0)
			defer tw.Flush()
			rows := [][2]any{{"score", p.Score}, {"wallet", p.Wallet}} // read: passport.score, passport.main_wallet
			for _, r := range rows {
				fmt.Fprintf(tw, "%s\t%v\n", r[0], r[1])
			}
			_, err = fmt.Fprintln(tw, p.Identity) // read: passport.identity_score
			return err
		},
	}
	cmd.Flags().StringVar(&base, "base", "https://h", "")
	return cmd
}

func show(id string) (p passport, err error) {
	var res *http.Response
	if res, err = http.Get(base + "/api/v1/passports/" + id); err != nil { // call: passport
		return
	}
	defer res.Body.Close()
	var env struct{ Passport *passport `json:"passport"` }
	env.Passport = &p
	err = json.NewDecoder(res.Body).Decode(&env)
	return
}
