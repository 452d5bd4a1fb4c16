package cmd

import (
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	"github.com/tidwall/gjson"
)

var rootCmd = &cobra.Command{Use: "passportctl", Short: "Looks at reputation passports"}

func get(path string) (gjson.Result, error) {
	req, err := http.NewRequest("GET", viper.GetString("base_url")+path, nil)
	if err != nil {
		return gjson.Result{}, err
	}
	req.Header.Add("X-API-KEY", viper.GetString("api_key"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return gjson.Result{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return gjson.Result{}, err
	}
	if res.StatusCode >= 400 {
		return gjson.Result{}, fmt.Errorf("%s: %s", res.Status, body)
	}
	return gjson.ParseBytes(body), nil
}

func Execute() {
	viper.SetEnvPrefix("PASSPORT")
	viper.AutomaticEnv()
	if err := rootCmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
