package cmd

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

var withCredentials bool

var showCmd = &cobra.Command{
	Use:   "show <wallet|id>",
	Short: "Show one passport",
	Args:  cobra.ExactArgs(1),
	RunE: func(cmd *cobra.Command, args []string) error {
		var body struct {
			Passport passport `json:"passport"`
		}
		resp, err := api().R().SetResult(&body).SetPathParam("id", args[0]).Get("/passports/{id}")
		if err != nil {
			return err
		}
		if resp.IsError() {
			return fmt.Errorf("%s: %s", args[0], resp.Status())
		}

		p := body.Passport
		fmt.Printf("%s (#%d)\n", p.Profile.DisplayName, p.PassportID)
		if p.Profile.Location != "" {
			fmt.Println(p.Profile.Location)
		}
		fmt.Println(p.Profile.Bio)
		fmt.Printf("score %d, %d connections, human: %t\n", p.Score, p.Connections, p.HumanCheckmark)
		for _, w := range p.Wallets {
			if w == p.MainWallet {
				w += " (main)"
			}
			fmt.Println(" ", w)
		}

		if withCredentials {
			printCredentials(credentials(p.PassportID))
		}
		return nil
	},
}

func init() {
	showCmd.Flags().BoolVarP(&withCredentials, "credentials", "c", false, "list credentials too")
}

// credentials are a nice to have here, so errors only mean an empty table
func credentials(passportID int) []credential {
	var body struct {
		Items []credential `json:"passport_credentials"`
	}
	_, err := api().R().
		SetQueryParam("passport_id", strconv.Itoa(passportID)).
		SetResult(&body).
		Get("/passport_credentials")
	if err != nil {
		return nil
	}
	return body.Items
}

func printCredentials(list []credential) {
	sort.Slice(list, func(i, j int) bool { return list[i].Score > list[j].Score })
	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	for _, c := range list {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%s\t%s\n", c.Category, c.Name, c.Score, c.Value, c.EarnedAt)
	}
}
