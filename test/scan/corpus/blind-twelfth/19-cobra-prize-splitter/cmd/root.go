package cmd

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

var rootCmd = &cobra.Command{
	Use:   "prizesplit",
	Short: "Split a prize pool between wallets",
}

func Execute() {
	if err := rootCmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func init() {
	viper.SetEnvPrefix("prizesplit")
	viper.AutomaticEnv()
	viper.SetDefault("api", "https://api.talentprotocol.com/api/v1")
	viper.SetDefault("etherscan", "https://api.etherscan.io/api")
	rootCmd.PersistentFlags().String("key", "", "api key")
	_ = viper.BindPFlag("key", rootCmd.PersistentFlags().Lookup("key"))
	rootCmd.AddCommand(splitCmd, whoCmd, topCmd)
}
