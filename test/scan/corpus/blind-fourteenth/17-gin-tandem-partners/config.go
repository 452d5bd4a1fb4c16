package main

import "github.com/kelseyhightower/envconfig"

type Config struct {
	Port       string `default:"8080"`
	TalentBase string `split_words:"true" default:"https://api.talentprotocol.com/api/v1"`
	TalentKey  string `split_words:"true"`
	DeeplKey   string `split_words:"true"`
}

func loadConfig() (Config, error) {
	var c Config
	err := envconfig.Process("tandem", &c)
	return c, err
}
