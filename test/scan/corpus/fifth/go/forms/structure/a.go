package a

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/bytedance/sonic"
	"github.com/mitchellh/mapstructure"
)

type P struct {
	Score float64 `mapstructure:"score"`
	Main  string  `mapstructure:"main_wallet"`
	Prof  struct {
		Name string `mapstructure:"display_name"`
	} `mapstructure:"passport_profile"`
}

func a(base, id string) {
	url := strings.Replace(base+"/api/v1/passports/{id}", "{id}", id, 1)
	resp, err := http.Get(url) // call: passport
	if err != nil {
		panic(err)
	}
	var m map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil {
		panic(err)
	}
	var p P
	if err := mapstructure.Decode(m["passport"], &p); err != nil {
		panic(err)
	}
	println(p.Score, p.Main, p.Prof.Name) // read: passport.score, passport.main_wallet, passport.passport_profile.display_name
}

type envelope struct {
	Creds []struct {
		Cat string `json:"category"`
	} `json:"passport_credentials"`
}

func b(base, id string) {
	url := fmt.Sprintf("%s/api/%s/%s?passport_id=%s", base, "v1", "passport_credentials", id)
	resp, err := http.Get(url) // call: passport-credentials
	if err != nil {
		panic(err)
	}
	var e envelope
	if err := sonic.ConfigDefault.NewDecoder(resp.Body).Decode(&e); err != nil {
		panic(err)
	}
	for _, c := range e.Creds {
		println(c.Cat) // read: passport_credentials[].category
	}
}
