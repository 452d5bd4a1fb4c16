package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/kelseyhightower/envconfig"
	"github.com/spf13/viper"
)

type config struct {
	API string `envconfig:"REP_API" default:"https://rep.example.org/api/v1"`
}

var (
	id    = flag.String("id", "", "passport")
	httpc = &http.Client{}
)

func mustGet(u string) io.Reader {
	resp, err := httpc.Get(u)
	if err != nil {
		panic(err)
	}
	return resp.Body
}

func main() {
	flag.Parse()
	var cfg config
	if err := envconfig.Process("", &cfg); err != nil {
		panic(err)
	}
	var creds struct {
		Creds []cred `json:"passport_credentials"`
	}
	if err := json.NewDecoder(mustGet(cfg.API + "/passport_credentials?passport_id=" + *id)).Decode(&creds); err != nil { // call: passport-credentials
		panic(err)
	}
	for _, c := range creds.Creds {
		fmt.Println(describe(c))
	}
	base := viper.GetString("rep.base")
	if base == "" {
		base = "https://rep.example.org"
	}
	var doc any
	json.NewDecoder(mustGet(strings.TrimSuffix(base, "/") + "/api/v1/passports/" + *id)).Decode(&doc) // call: passport; hazard: catch-default
	root := doc.(map[string]any)
	p, ok := root["passport"].(map[string]any)
	if !ok {
		return
	}
	for key, label := range map[string]string{"activity_score": "activity", "skills_score": "skills"} {
		fmt.Println(label, p[key])
	}
	fmt.Println(p["merged"] == true, p["connections_count"].(float64)) // read: passport.merged, passport.connections_count
}

type cred struct {
	Kind   string `json:"type"`
	Earned string `json:"earned_at"`
	Value  string `json:"value"`
}

func describe(c cred) string {
	parts := []string{c.Kind} // read: passport_credentials[].type
	if c.Earned != "" { // read: passport_credentials[].earned_at
		parts = append(parts, c.Earned) // read: passport_credentials[].earned_at
	}
	return strings.Join(append(parts, c.Value), " ") // read: passport_credentials[].value
}
