package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sort"

	"github.com/civic-census/harvester/harvest"
)

func main() {
	var (
		keyword = flag.String("keyword", "", "only passports of that name")
		out     = flag.String("out", "census.ndjson", "where the rows go")
		workers = flag.Int("workers", 4, "requests at a time")
		minimum = flag.Float64("min", 1, "least score of a passport whose credentials are counted")
	)
	flag.Parse()

	api, ok := os.LookupEnv("CENSUS_API")
	if !ok {
		log.Fatal("CENSUS_API is not set")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	h := harvest.New(api, os.Getenv("CENSUS_API_KEY"), *workers)
	people, err := h.Everyone(ctx, *keyword)
	if err != nil {
		log.Fatalf("harvest: %v", err)
	}
	if err := write(*out, people); err != nil {
		log.Fatal(err)
	}

	tally, err := h.Tally(ctx, people, *minimum)
	if err != nil {
		log.Fatalf("tally: %v", err)
	}
	kinds := make([]string, 0, len(tally))
	for kind := range tally {
		kinds = append(kinds, kind)
	}
	sort.Slice(kinds, func(i, j int) bool { return tally[kinds[i]].Holders > tally[kinds[j]].Holders })
	for _, kind := range kinds {
		t := tally[kind]
		fmt.Printf("%-32s %6d holders  %5.1f on average  last %s\n", kind, t.Holders, t.Points/float64(t.Holders), t.Latest)
	}
}

type row struct {
	ID     int     `json:"id"`
	Name   string  `json:"name"`
	Place  string  `json:"place"`
	Score  float64 `json:"score"`
	Human  bool    `json:"human"`
	Peers  int     `json:"peers"`
	Wallet int     `json:"wallets"`
}

func write(path string, people []harvest.Person) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	for _, p := range people {
		r := row{
			ID:     p.PassportID,
			Score:  p.Score,
			Human:  p.HumanCheckmark,
			Peers:  p.ConnectionsCount,
			Wallet: len(p.VerifiedWallets),
		}
		if prof := p.PassportProfile; prof != nil {
			r.Name = prof.DisplayName
			r.Place = prof.Location
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return w.Flush()
}
