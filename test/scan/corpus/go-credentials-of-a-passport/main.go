package main

import (
	"log"
	"os"
	"strconv"
	"strings"
	"time"
)

type Badge struct {
	Key   string
	Score int
	Value string
}

func toBadges(creds []Credential) []Badge {
	var out []Badge
	for _, c := range creds {
		if c.Score < c.MaxScore/2 { // read: passport_credentials[].score, passport_credentials[].max_score
			continue
		}
		b := Badge{Key: c.Type + "/" + c.ID, Value: c.Value} // read: passport_credentials[].type, passport_credentials[].id, passport_credentials[].value
		switch c.Category { // read: passport_credentials[].category
		case "Activity":
			if n, err := strconv.Atoi(c.Value); err == nil { // read: passport_credentials[].value; hazard: string-number
				b.Score = n
			}
		default:
			b.Score = int(c.Score) // read: passport_credentials[].score
		}
		if at, err := time.Parse(time.RFC3339, c.CalculatedAt); err == nil && time.Since(at) > 60*24*time.Hour { // read: passport_credentials[].last_calculated_at
			log.Printf("%s is stale", strings.ToLower(c.Name)) // read: passport_credentials[].name
		}
		out = append(out, b)
	}
	return out
}

func main() {
	a := newAPI(os.Getenv("REP_BASE"), os.Getenv("REP_KEY"))
	id, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	creds, err := a.credentials(id)
	if err != nil {
		log.Fatal(err)
	}
	total := 0
	for _, b := range toBadges(creds) {
		log.Println(b.Key, b.Score, b.Value)
		total += b.Score
	}
	names, _ := a.badgeCatalog()
	log.Printf("%d points, %d badges known", total, len(names))
}
