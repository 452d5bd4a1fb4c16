package cmd

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

var whoCmd = &cobra.Command{
	Use:   "who [wallet]",
	Short: "Show one passport with its credentials",
	Args:  cobra.ExactArgs(1),
	RunE: func(cmd *cobra.Command, args []string) error {
		p := passportOf(args[0])
		if p == nil {
			return fmt.Errorf("no passport for %s", args[0])
		}
		fmt.Println("score:   ", num(p, "score"), "at", str(p, "last_calculated_at"))
		fmt.Println("identity:", num(p, "identity_score"))
		if socials, ok := p["passport_socials"].([]interface{}); ok {
			for _, s := range socials {
				social := s.(map[string]interface{})
				fmt.Printf("%-12s %s (%v followers)\n", social["source"], social["profile_name"], social["follower_count"])
			}
		}

		id := fmt.Sprintf("%.0f", p["passport_id"])
		data, err := getJSON(viper.GetString("api") + "/passport_credentials?passport_id=" + id)
		if err != nil {
			return err
		}
		creds, _ := data["passport_credentials"].([]interface{})
		for _, c := range creds {
			cred := c.(map[string]interface{})
			fmt.Printf("- %s %s %v/%v\n", cred["category"], cred["name"], cred["score"], cred["max_score"])
		}
		fmt.Println("gas now:", gasPrice())
		return nil
	},
}

var topCmd = &cobra.Command{
	Use:   "top [keyword]",
	Short: "Best passports for a keyword",
	RunE: func(cmd *cobra.Command, args []string) error {
		u := viper.GetString("api") + "/passports?keyword=" + url.QueryEscape(strings.Join(args, " "))
		data, err := getJSON(u)
		if err != nil {
			return err
		}
		list, _ := data["passports"].([]interface{})
		for i, item := range list {
			p := item.(map[string]interface{})
			fmt.Printf("%2d. %v %v\n", i+1, p["main_wallet"], p["score"])
		}
		if paging, ok := data["pagination"].(map[string]interface{}); ok {
			fmt.Printf("%d of %.0f\n", len(list), paging["total"])
		}
		return nil
	},
}
