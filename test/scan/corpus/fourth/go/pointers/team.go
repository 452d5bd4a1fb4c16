package gate

import "sort"

// Team results come from the league's CSV, see league_test.go.
type Team struct {
	Name            string
	Score           *float64
	VerifiedWallets []string
}

func Rank(teams []Team) []Team {
	sort.Slice(teams, func(i, j int) bool {
		return *teams[i].Score > *teams[j].Score
	})
	return teams
}

func Wallets(teams []Team) (n int) {
	for _, t := range teams {
		n += len(t.VerifiedWallets)
	}
	return n
}
