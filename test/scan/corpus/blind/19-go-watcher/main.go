package main

import (
	"bufio"
	"log"
	"os"
	"strings"
	"time"
)

func readWallets(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if line := strings.TrimSpace(sc.Text()); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out, sc.Err()
}

func main() {
	wallets, err := readWallets(os.Getenv("WALLETS_FILE"))
	if err != nil {
		log.Fatal(err)
	}
	last := map[string]float64{}
	for ; ; time.Sleep(time.Hour) {
		for _, w := range wallets {
			score := fetchScore(w)
			if prev, ok := last[w]; ok && prev != score {
				notify(w, prev, score)
			}
			last[w] = score
			for _, kind := range newCredentials(w) {
				log.Printf("%s earned %s", w, kind)
			}
		}
	}
}
