package main

import (
	"os"
	"strings"

	"gopkg.in/yaml.v3"
)

type Config struct {
	Listen string `yaml:"listen"`
	Talent struct {
		URL     string `yaml:"url"`
		KeyFile string `yaml:"key_file"`
	} `yaml:"talent"`
	Team []struct {
		Wallet string `yaml:"wallet"`
		Alias  string `yaml:"alias"`
	} `yaml:"team"`
	Statuspage string `yaml:"statuspage"`
}

func loadConfig(path string) (c Config, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, yaml.Unmarshal(b, &c)
}

func (c Config) key() string {
	b, err := os.ReadFile(c.Talent.KeyFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
