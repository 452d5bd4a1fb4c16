package cmd

import (
	"fmt"

	"example.com/cobra/internal/rep"
	"github.com/spf13/cobra"
)

var client *rep.Client

var showCmd = &cobra.Command{
	Use: "show",
	RunE: func(cmd *cobra.Command, args []string) error {
		doc, err := client.Passport(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%v\n", doc.Identity) // read: passport.identity_score
		if conn := doc.Connections; conn > 5 { // read: passport.connections_count
			fmt.Println("well connected")
		}
		return nil
	},
}

var listCmd = &cobra.Command{
	Use: "list",
	RunE: func(cmd *cobra.Command, args []string) error {
		return client.EachPage(cmd.Context(), "ana", func(page rep.Page) (bool, error) {
			for _, p := range page.Passports {
				fmt.Println(p.LastCalculatedAt) // read: passports[].last_calculated_at
			}
			return page.Meta.Total > 10, nil // read: pagination.total
		})
	},
}

func init() {
	client = rep.NewClient(rep.Options{Host: "rep.example.org"})
}
