package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/acme/go-talent/talent"
)

func main() {
	ctx := context.Background()
	c := &talent.Client{APIKey: os.Getenv("TALENT_API_KEY")}

	n := 0
	for p, err := range c.All(ctx, "") {
		if err != nil {
			log.Fatal(err)
		}
		if !p.HumanCheckmark || p.CalculatingScore {
			continue
		}
		fmt.Printf("%-30s %6.0f\n", p.Name(), p.Score)
		creds, err := c.Credentials(ctx, p.PassportID)
		if err != nil {
			log.Printf("credentials of %d: %v", p.PassportID, err)
		}
		for _, cred := range creds {
			fmt.Printf("    %-10s %-28s %3.0f%%\n", cred.Category, cred.Name, cred.Ratio()*100)
		}
		if n++; n == 10 {
			return
		}
	}
}
