package cmd

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

var showCmd = &cobra.Command{
	Use:  "show ID",
	Args: cobra.ExactArgs(1),
	RunE: func(cmd *cobra.Command, args []string) error {
		doc, err := get("/api/v1/passports/" + url.PathEscape(args[0])) // call: passport
		if err != nil {
			return err
		}
		fmt.Println("name: ", doc.Get("passport.passport_profile.display_name").String()) // read: passport.passport_profile.display_name
		fmt.Println("score:", doc.Get("passport.score").Int()) // read: passport.score
		fmt.Println("human:", doc.Get("passport.human_checkmark").Bool()) // read: passport.human_checkmark
		for _, w := range doc.Get("passport.verified_wallets").Array() { // read: passport.verified_wallets[]
			fmt.Println("  -", w.String())
		}
		return nil
	},
}

var credentialsCmd = &cobra.Command{
	Use:  "credentials ID",
	Args: cobra.ExactArgs(1),
	RunE: func(cmd *cobra.Command, args []string) error {
		doc, err := get("/api/v1/passport_credentials?passport_id=" + url.QueryEscape(args[0])) // call: passport-credentials
		if err != nil {
			return err
		}
		for _, item := range doc.Get("passport_credentials").Array() {
			fmt.Printf("%-20s %-10s %s\n", item.Get("name"), item.Get("category"), item.Get("value")) // read: passport_credentials[].name, passport_credentials[].category, passport_credentials[].value
		}
		return nil
	},
}

var configCmd = &cobra.Command{
	Use: "config",
	Run: func(cmd *cobra.Command, args []string) {
		fmt.Println("category:", viper.GetString("category"))
		fmt.Println("min score:", viper.GetInt("score"))
	},
}

func init() {
	rootCmd.AddCommand(showCmd, credentialsCmd, configCmd)
}
