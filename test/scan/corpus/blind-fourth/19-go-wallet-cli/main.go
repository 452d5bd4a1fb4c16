package main

import (
	"bufio"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

func main() {
	in := flag.String("in", "wallets.txt", "file with one wallet a line")
	workers := flag.Int("workers", 4, "parallel requests")
	creds := flag.Bool("credentials", false, "also count credentials")
	flag.Parse()

	f, err := os.Open(*in)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()

	jobs := make(chan string)
	results := make(chan []string)
	var wg sync.WaitGroup
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for wallet := range jobs {
				results <- row(wallet, *creds)
			}
		}()
	}
	go func() {
		sc := bufio.NewScanner(f)
		for sc.Scan() {
			if w := strings.TrimSpace(sc.Text()); w != "" {
				jobs <- w
			}
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()

	out := csv.NewWriter(os.Stdout)
	defer out.Flush()
	_ = out.Write([]string{"wallet", "score", "name", "human", "farcaster", "credentials"})
	for r := range results {
		_ = out.Write(r)
	}
}

func row(wallet string, withCredentials bool) []string {
	p := fetchPassport(wallet)
	if p == nil {
		return []string{wallet, "0", "", "false", "", ""}
	}
	handle := ""
	for _, s := range p.PassportSocials {
		if s.Source == "farcaster" {
			handle = s.ProfileName
		}
	}
	n := ""
	if withCredentials {
		n = strconv.Itoa(countCredentials(p.PassportID))
	}
	return []string{
		wallet,
		strconv.FormatFloat(p.Score, 'f', 0, 64),
		p.PassportProfile.DisplayName,
		strconv.FormatBool(p.HumanCheckmark),
		handle,
		n,
	}
}
