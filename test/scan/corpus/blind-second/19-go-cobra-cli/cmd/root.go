package cmd

import (
	"os"

	"github.com/go-resty/resty/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

var rootCmd = &cobra.Command{
	Use:   "tpcli",
	Short: "Look at Talent Protocol passports",
}

func init() {
	rootCmd.PersistentFlags().String("api", "https://api.talentprotocol.com/api/v1", "base address of the API")
	rootCmd.PersistentFlags().String("key", "", "API key")
	viper.SetEnvPrefix("TALENT")
	viper.AutomaticEnv()
	_ = viper.BindPFlag("api", rootCmd.PersistentFlags().Lookup("api"))
	_ = viper.BindPFlag("key", rootCmd.PersistentFlags().Lookup("key"))
	rootCmd.AddCommand(showCmd, searchCmd)
}

func api() *resty.Client {
	return resty.New().
		SetBaseURL(viper.GetString("api")).
		SetHeader("X-API-KEY", viper.GetString("key")).
		SetRetryCount(2)
}

// Execute runs the command line.
func Execute() {
	if err := rootCmd.Execute(); err != nil {
		os.Exit(1)
	}
}
