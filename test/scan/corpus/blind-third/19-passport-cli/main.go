package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	asJSON := flag.Bool("json", false, "print JSON")
	category := flag.String("category", "", "only this category")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: passport [-json] [-category C] <wallet or id>")
		os.Exit(2)
	}

	p, err := fetchPassport(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "passport:", err)
		os.Exit(1)
	}
	creds, err := fetchCredentials(p.PassportID)
	if err != nil {
		fmt.Fprintln(os.Stderr, "credentials:", err)
		os.Exit(1)
	}
	r := buildReport(p, creds, *category)
	if *asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		_ = enc.Encode(r)
		return
	}
	r.print(os.Stdout)
}
