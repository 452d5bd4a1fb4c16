package main

import (
	"fmt"
	"log"
	"os"

	rep "example.com/tools/embed"
)

type app struct {
	rep *rep.Client
}

func (a app) print(id string) error {
	p, err := a.rep.Passports.Get(id)
	if err != nil {
		return err
	}
	fmt.Println(p.Activity, p.Scores.Skills, p.Checkmark, len(p.Wallets)) // read: passport.activity_score, passport.skills_score, passport.human_checkmark, passport.verified_wallets[]
	cs, err := a.rep.Credentials.List(id)
	if err != nil {
		return err
	}
	for _, c := range cs {
		switch c.Kind { // read: passport_credentials[].type
		case "active_wallet":
			fmt.Println(c.Value) // read: passport_credentials[].value
		}
	}
	return nil
}

func main() {
	a := app{rep: rep.New(os.Getenv("REP"))}
	if err := a.print(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}
