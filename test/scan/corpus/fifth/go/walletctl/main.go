package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
)

var base = flag.String("base", os.Getenv("REP_BASE"), "address of the reputation service")

func die(err error) {
	fmt.Fprintln(os.Stderr, "walletctl:", err)
	os.Exit(1)
}

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		die(fmt.Errorf("usage: walletctl WALLET"))
	}

	resp, err := http.Get(fmt.Sprintf("%s/api/v1/passports/%s", *base, flag.Arg(0))) // call: passport
	if err != nil {
		die(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body) // hazard: catch-default

	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		die(err)
	}
	passport, ok := body["passport"].(map[string]any)
	if !ok {
		die(fmt.Errorf("no passport in the answer"))
	}

	score, _ := passport["score"].(float64) // read: passport.score; hazard: fallback-default
	fmt.Printf("score   %.0f\n", score)
	fmt.Printf("human   %v\n", passport["human_checkmark"]) // read: passport.human_checkmark
	fmt.Printf("merged  %v\n", passport["merged"]) // read: passport.merged
	if profile, ok := passport["passport_profile"].(map[string]any); ok { // read: passport.passport_profile
		fmt.Printf("name    %v\n", profile["display_name"]) // read: passport.passport_profile.display_name
	}
	wallets, _ := passport["verified_wallets"].([]any) // read: passport.verified_wallets[]
	for _, w := range wallets {
		fmt.Println("wallet ", w, balance(fmt.Sprint(w)))
	}
}
