package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"example.com/talentkit/talentkit"
)

var (
	keyword = flag.String("keyword", "", "only passports with this in the name")
	limit   = flag.Int("limit", 500, "at most so many rows")
	withCr  = flag.Bool("credentials", false, "count the credentials, too (slow)")
)

var header = []string{"passport_id", "name", "wallet", "score", "activity", "identity", "skills", "tags", "connections", "updated", "since", "skills_earned"}

func row(p talentkit.Passport) []string {
	connections := ""
	if p.ConnectionsCount != nil {
		connections = fmt.Sprint(*p.ConnectionsCount)
	}
	updated := ""
	if p.LastCalculatedAt != nil {
		updated = p.LastCalculatedAt.Format(time.DateOnly)
	}
	wallet := p.MainWallet
	if wallet == "" && len(p.VerifiedWallets) > 0 {
		wallet = p.VerifiedWallets[0]
	}
	profile := p.PassportProfile
	return []string{
		fmt.Sprint(p.PassportID),
		profile.DisplayName,
		wallet,
		fmt.Sprint(p.Score),
		fmt.Sprint(p.ActivityScore),
		fmt.Sprint(p.IdentityScore),
		fmt.Sprint(p.SkillsScore),
		strings.Join(profile.Tags, ";"),
		connections,
		updated,
		p.CreatedAt,
	}
}

func earnedSkills(ctx context.Context, c *talentkit.Client, id int) int {
	list, err := c.Credentials(ctx, id)
	if err != nil {
		log.Printf("credentials of %d: %v", id, err)
		return 0
	}
	n := 0
	for _, cr := range list {
		if cr.Category == "Skills" && cr.Score > 0 && cr.EarnedAt != nil {
			n++
		}
	}
	return n
}

func main() {
	flag.Parse()
	ctx := context.Background()
	client := talentkit.New(os.Getenv("TALENT_HOST"), talentkit.WithKey(os.Getenv("TALENT_KEY")))

	out := csv.NewWriter(os.Stdout)
	defer out.Flush()
	out.Write(header)

	n := 0
	for p, err := range client.Passports(ctx, *keyword) {
		if err != nil {
			log.Fatalf("after %d passports: %v", n, err)
		}
		cells := row(p)
		if *withCr {
			cells = append(cells, fmt.Sprint(earnedSkills(ctx, client, p.PassportID)))
		} else {
			cells = append(cells, "")
		}
		out.Write(cells)
		if n++; n >= *limit {
			break
		}
	}
}
