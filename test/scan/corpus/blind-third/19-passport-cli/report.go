package main

import (
	"fmt"
	"io"
	"sort"
	"text/tabwriter"
)

type line struct {
	Label string  `json:"label"`
	Type  string  `json:"type"`
	Value string  `json:"value"`
	Ratio float64 `json:"ratio"`
}

type report struct {
	Title  string         `json:"title"`
	Score  int            `json:"score"`
	Parts  map[string]int `json:"parts"`
	Wallet string         `json:"wallet"`
	Lines  []line         `json:"lines"`
}

func buildReport(p passport, creds []credential, category string) report {
	r := report{
		Title: fmt.Sprintf("%s (%s)", p.Profile.DisplayName, p.Profile.Location),
		Score: p.Score,
		Parts: map[string]int{
			"activity": p.ActivityScore,
			"identity": p.IdentityScore,
			"skills":   p.SkillsScore,
		},
		Wallet: p.Wallets[0],
	}
	for _, c := range creds {
		if category != "" && c.Category != category {
			continue
		}
		l := line{Label: c.Name, Type: c.Type}
		if c.Value != nil {
			l.Value = *c.Value
		}
		if c.MaxScore > 0 {
			l.Ratio = c.Score / c.MaxScore
		}
		r.Lines = append(r.Lines, l)
	}
	sort.Slice(r.Lines, func(i, j int) bool { return r.Lines[i].Ratio > r.Lines[j].Ratio })
	return r
}

func (r report) print(w io.Writer) {
	fmt.Fprintf(w, "%s\nscore %d %v\n%s\n\n", r.Title, r.Score, r.Parts, r.Wallet)
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, l := range r.Lines {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%.0f%%\n", l.Label, l.Type, l.Value, l.Ratio*100)
	}
	_ = tw.Flush()
}
