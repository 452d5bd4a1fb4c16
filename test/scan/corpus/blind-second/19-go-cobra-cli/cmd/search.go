package cmd

import (
	"fmt"

	"github.com/spf13/cobra"
)

var searchCmd = &cobra.Command{
	Use:   "search <name>",
	Short: "Find passports by name",
	Args:  cobra.ExactArgs(1),
	RunE: func(cmd *cobra.Command, args []string) error {
		var body struct {
			Passports  []passport `json:"passports"`
			Pagination struct {
				Total int `json:"total"`
			} `json:"pagination"`
		}
		resp, err := api().R().
			SetQueryParam("keyword", args[0]).
			SetResult(&body).
			Get("/passports")
		if err != nil {
			return err
		}
		if resp.StatusCode() != 200 {
			return fmt.Errorf("search: %s", resp.Status())
		}
		for _, p := range body.Passports {
			fmt.Printf("%8d  %5d  %s\n", p.PassportID, p.Score, p.Profile.DisplayName)
		}
		fmt.Printf("%d of %d\n", len(body.Passports), body.Pagination.Total)
		return nil
	},
}
