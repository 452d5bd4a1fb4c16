package cmd

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
)

var keyword string

var listCmd = &cobra.Command{
	Use: "list",
	RunE: func(cmd *cobra.Command, args []string) error {
		for page := 1; ; page++ {
			doc, err := get(fmt.Sprintf("/api/v1/passports?keyword=%s&page=%d", keyword, page)) // call: passport-list
			if err != nil {
				return err
			}
			doc.Get("passports").ForEach(func(_, p gjson.Result) bool {
				fmt.Println(p.Get("passport_id").Int(), p.Get("score").Float(), p.Get("passport_profile.location")) // read: passports[].passport_id, passports[].score, passports[].passport_profile.location
				return true
			})
			if doc.Get("pagination.current_page").Int() >= doc.Get("pagination.last_page").Int() { // read: pagination.current_page, pagination.last_page
				return nil
			}
		}
	},
}

// versions lists what the release server knows; "name" and "score" are its own words.
var versionsCmd = &cobra.Command{
	Use: "versions",
	RunE: func(cmd *cobra.Command, args []string) error {
		doc, err := get("/releases/v1/passportctl")
		if err != nil {
			return err
		}
		fmt.Println(doc.Get("name").String(), doc.Get("score").Int())
		return nil
	},
}

func init() {
	listCmd.Flags().StringVarP(&keyword, "keyword", "k", "", "name to look for")
	rootCmd.AddCommand(listCmd, versionsCmd)
}
