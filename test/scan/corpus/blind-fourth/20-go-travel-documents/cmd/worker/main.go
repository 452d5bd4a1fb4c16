package main

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/visadesk/docworker/docs"
)

func remind(p docs.Passport) {
	left := time.Until(p.ExpiresAt).Hours() / 24
	log.Printf("%s (%s, %s): %.0f days left, match score %.2f", p.FullName, p.Number, p.Nationality, left, p.Score)
}

func main() {
	client := docs.NewClient(os.Getenv("DOCUMENTS_URL"), os.Getenv("DOCUMENTS_KEY"))
	ticker := time.NewTicker(6 * time.Hour)
	defer ticker.Stop()
	for ; ; <-ticker.C {
		passports, err := client.Expiring(context.Background(), 90)
		if err != nil {
			log.Printf("list: %v", err)
			continue
		}
		for _, p := range passports {
			if p.Merged || p.Type != "ordinary" {
				continue
			}
			remind(p)
		}
	}
}
