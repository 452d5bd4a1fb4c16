package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fieldcrew/talentapi"
	"github.com/olekukonko/tablewriter"
)

func main() {
	region := flag.String("region", "", "only people from here")
	minimum := flag.Float64("min", 20, "minimum skills")
	flag.Parse()

	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	client := talentapi.New(os.Getenv("TALENT_HOST"), talentapi.WithKey(os.Getenv("TALENT_KEY")))

	var crew []talentapi.Passport
	for p, err := range client.Search(ctx, flag.Arg(0)) {
		if err != nil {
			log.Fatal(err)
		}
		if p.SkillsScore < *minimum || !inRegion(p.Profile, *region) {
			continue
		}
		crew = append(crew, p)
	}
	slices.SortFunc(crew, func(a, b talentapi.Passport) int { return cmp.Compare(b.ActivityScore, a.ActivityScore) })

	table := tablewriter.NewWriter(os.Stdout)
	table.SetHeader([]string{"Name", "Wallet", "Score", "GitHub", "Certificates"})
	for _, member := range crew {
		table.Append([]string{
			member.Profile.DisplayName,
			member.MainWallet,
			fmt.Sprintf("%.0f", member.Score),
			github(ctx, client, member.MainWallet),
			fmt.Sprint(certificates(ctx, client, member.ID)),
		})
	}
	table.Render()
}

func inRegion(profile *talentapi.Profile, region string) bool {
	return profile != nil && strings.Contains(strings.ToLower(profile.Location), strings.ToLower(region))
}

func github(ctx context.Context, client *talentapi.Client, wallet string) string {
	full, err := client.Passport(ctx, wallet)
	if err != nil {
		return ""
	}
	return full.Handle("github")
}

func certificates(ctx context.Context, client *talentapi.Client, id int64) int {
	credentials, err := client.Credentials(ctx, id)
	if err != nil {
		log.Printf("credentials of %d: %v", id, err)
		return 0
	}
	n := 0
	for _, c := range credentials {
		if c.Category == "Skills" && c.Score >= c.MaxScore/2 {
			n++
		}
	}
	return n
}
