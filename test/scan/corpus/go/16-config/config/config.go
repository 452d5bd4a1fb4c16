package config

import "os"

type Config struct {
	Reputation struct {
		BaseURL string
		Key     string
	}
	Paths Paths
}

type Paths struct {
	List, Single, Credentials string
}

const apiPrefix = "/api/v1"

var Default = Config{
	Paths: Paths{
		List:        apiPrefix + "/passports",
		Single:      apiPrefix + "/passports/%s",
		Credentials: apiPrefix + "/passport_credentials",
	},
}

func Load() *Config {
	c := Default
	c.Reputation.BaseURL = os.Getenv("REP_URL")
	return &c
}
