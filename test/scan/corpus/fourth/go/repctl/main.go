package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	keyword := flag.String("keyword", "", "filter by name")
	flag.Parse()

	api := newAPI(os.Getenv("REP_KEY"))
	list, err := api.list(*keyword)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, p := range list {
		wallet := p.MainWallet // read: passports[].main_wallet
		fmt.Printf("%-42s a=%v i=%v s=%v\n", wallet, p.ActivityScore, p.IdentityScore, p.SkillsScore) // read: passports[].activity_score, passports[].identity_score, passports[].skills_score
	}
	h := host{MainWallet: "none", Total: len(list)}
	fmt.Println(h.MainWallet, h.Total)
}
