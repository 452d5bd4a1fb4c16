package main

import "github.com/caarlos0/env/v11"

type config struct {
	RedisAddr string `env:"REDIS_ADDR" envDefault:"localhost:6379"`
	Stream    string `env:"STREAM" envDefault:"payments"`
	Group     string `env:"GROUP" envDefault:"enricher"`
	Workers   int    `env:"WORKERS" envDefault:"4"`
	TalentAPI string `env:"TALENT_API" envDefault:"https://api.talentprotocol.com/api/v1"`
	TalentKey string `env:"TALENT_KEY"`
	RatesAPI  string `env:"RATES_API" envDefault:"https://api.frankfurter.dev/v1"`
}

func loadConfig() (config, error) {
	return env.ParseAs[config]()
}
