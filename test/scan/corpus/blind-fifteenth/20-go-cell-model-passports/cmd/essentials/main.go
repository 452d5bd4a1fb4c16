package main

import (
	"context"
	"encoding/csv"
	"flag"
	"log"
	"os"
	"sort"
	"strconv"

	"github.com/oncobench/essentials/cmp"
)

type row struct {
	passport string
	name     string
	gene     string
	score    float64
}

func main() {
	tissue := flag.String("tissue", "Lung", "tissue of the models")
	min := flag.Float64("min", 0.5, "lowest score to keep")
	flag.Parse()

	ctx := context.Background()
	client := cmp.New(os.Getenv("CMP_URL"))
	passports, err := client.Passports(ctx, *tissue)
	if err != nil {
		log.Fatal(err)
	}

	var rows []row
	for _, p := range passports {
		if p.Attributes.Merged || p.Attributes.ModelType != "Cell Line" {
			continue
		}
		scores, err := client.Scores(ctx, p.ID)
		if err != nil {
			log.Printf("%s: %v", p.ID, err)
			scores = nil
		}
		for _, s := range scores {
			if s.Attributes.QCPass && s.Attributes.Score >= *min {
				rows = append(rows, row{p.ID, p.DisplayName(), s.Attributes.Symbol, s.Attributes.Score})
			}
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].score > rows[j].score })

	out := csv.NewWriter(os.Stdout)
	out.Comma = '\t'
	defer out.Flush()
	_ = out.Write([]string{"passport_id", "display_name", "gene", "score"})
	for _, r := range rows {
		_ = out.Write([]string{r.passport, r.name, r.gene, strconv.FormatFloat(r.score, 'f', 3, 64)})
	}
}
