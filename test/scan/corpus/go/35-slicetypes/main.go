package main

import (
	"fmt"
	"os"
	"sort"

	"example.com/slicetypes/api"
)

type line struct {
	Category string
	Score    float64
}

func main() {
	c := api.New(os.Getenv("KEY"), api.WithBase(os.Getenv("BASE")))
	cs, err := c.Credentials("12")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	active := cs.Filter(func(c api.Credential) bool { return c.Category == "Activity" }) // read: passport_credentials[].category
	sort.Slice(active, func(i, j int) bool { return active[i].Updated.After(active[j].Updated) }) // read: passport_credentials[].last_calculated_at
	fmt.Println(active.Sum(), active[0].Share())
	var lines []line
	for _, a := range active {
		lines = append(lines, line{Category: a.Category, Score: a.Score}) // read: passport_credentials[].category, passport_credentials[].score
	}
	for _, l := range lines {
		fmt.Println(l.Category, l.Score)
	}
	first := active[0]
	fmt.Println(first.ID) // read: passport_credentials[].id
}
