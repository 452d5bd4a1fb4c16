package main

import (
	"encoding/json"
	"fmt"
	"os"

	"example.com/config/config"
)

type creds struct {
	PassportCredentials []credential `json:"passport_credentials"`
}

type credential struct {
	Category         string  `json:"category"`
	LastCalculatedAt string  `json:"last_calculated_at"`
	Score            float64 `json:"score"`
}

func (c credential) String() string {
	return fmt.Sprintf("%s %.1f", c.Category, c.Score) // read: passport_credentials[].category, passport_credentials[].score
}

func (c creds) total() (sum float64) {
	for _, x := range c.PassportCredentials {
		sum += x.Score // read: passport_credentials[].score
	}
	return
}

func main() {
	c := &client{cfg: config.Load()}
	raw, err := c.single(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	var p struct {
		Location string `json:"main_wallet"`
		Conn     int    `json:"connections_count"`
	}
	if err := json.Unmarshal(raw["passport"], &p); err != nil {
		os.Exit(1)
	}
	fmt.Println(p.Location, p.Conn) // read: passport.main_wallet, passport.connections_count
	cs, err := c.credentials(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	for _, x := range cs.PassportCredentials {
		fmt.Println(x)
	}
	groups := make(map[string][]credential)
	for _, x := range cs.PassportCredentials {
		groups[x.Category] = append(groups[x.Category], x) // read: passport_credentials[].category
	}
	for cat, list := range groups {
		fmt.Println(cat, list[0].LastCalculatedAt) // read: passport_credentials[].last_calculated_at
	}
	fmt.Println(cs.total())
}
