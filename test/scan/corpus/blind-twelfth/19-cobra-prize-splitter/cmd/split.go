package cmd

import (
	"bufio"
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	"golang.org/x/sync/errgroup"
)

type share struct {
	wallet string
	name   string
	score  float64
	amount float64
}

var splitCmd = &cobra.Command{
	Use:   "split [file]",
	Short: "Read wallets from a file and print who gets what",
	Args:  cobra.ExactArgs(1),
	RunE: func(cmd *cobra.Command, args []string) error {
		pool, _ := cmd.Flags().GetFloat64("pool")
		humans, _ := cmd.Flags().GetBool("humans-only")
		wallets, err := readLines(args[0])
		if err != nil {
			return err
		}

		var mu sync.Mutex
		var shares []*share
		var g errgroup.Group
		g.SetLimit(4)
		for _, w := range wallets {
			g.Go(func() error {
				p := passportOf(w)
				if human, _ := p["human_checkmark"].(bool); humans && !human {
					return nil
				}
				s := &share{wallet: w, score: num(p, "score")}
				if profile, ok := p["passport_profile"].(map[string]interface{}); ok {
					s.name = str(profile, "display_name")
				}
				mu.Lock()
				defer mu.Unlock()
				shares = append(shares, s)
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}

		total := 0.0
		for _, s := range shares {
			total += math.Sqrt(s.score)
		}
		for _, s := range shares {
			if total > 0 {
				s.amount = pool * math.Sqrt(s.score) / total
			}
			fmt.Printf("%s\t%s\t%.0f\t%.2f\n", s.wallet, s.name, s.score, s.amount)
		}
		return nil
	},
}

func init() {
	splitCmd.Flags().Float64("pool", 1000, "prize pool in USDC")
	splitCmd.Flags().Bool("humans-only", false, "skip wallets without checkmark")
}

func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if t := strings.TrimSpace(sc.Text()); t != "" && !strings.HasPrefix(t, "#") {
			out = append(out, t)
		}
	}
	return out, sc.Err()
}

func gasPrice() string {
	resp, err := http.Get(viper.GetString("etherscan") + "?module=gastracker&action=gasoracle")
	if err != nil {
		return "?"
	}
	defer resp.Body.Close()
	return resp.Header.Get("X-Gas")
}
