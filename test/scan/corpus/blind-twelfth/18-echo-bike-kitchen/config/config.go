package config

import (
	"os"

	"github.com/joho/godotenv"
)

type Config struct {
	Port       string
	TalentHost string
	TalentKey  string
	SlackHook  string
}

func Load() Config {
	_ = godotenv.Load()
	c := Config{
		Port:       os.Getenv("PORT"),
		TalentHost: os.Getenv("TALENT_HOST"),
		TalentKey:  os.Getenv("TALENT_KEY"),
		SlackHook:  os.Getenv("SLACK_WEBHOOK"),
	}
	if c.Port == "" {
		c.Port = "1323"
	}
	if c.TalentHost == "" {
		c.TalentHost = "https://api.talentprotocol.com"
	}
	return c
}
