package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

const api = "https://rep.example.org/api/v1"

func main() {
	in := bufio.NewScanner(os.Stdin)
	var tags []string
	for in.Scan() {
		wallet := strings.TrimSpace(in.Text())
		doc, err := lookup(wallet)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", wallet, err)
			os.Exit(2)
		}
		p := doc["passport"]
		fmt.Println(p["display"], p["main_wallet"]) // read: passport.main_wallet
		if wallets, ok := p["verified_wallets"].([]interface{}); ok && len(wallets) > 1 { // read: passport.verified_wallets[]
			fmt.Println("many")
		}
		for _, s := range p["passport_socials"].([]interface{}) { // read: passport.passport_socials
			social, ok := s.(map[string]interface{})
			if !ok {
				continue
			}
			n, _ := social["follower_count"].(string) // read: passport.passport_socials[].follower_count
			fmt.Println(n, social["profile_name"]) // read: passport.passport_socials[].profile_name
		}
		profile := p["passport_profile"].(map[string]interface{}) // read: passport.passport_profile
		for _, t := range profile["tags"].([]interface{}) { // read: passport.passport_profile.tags[]
			tags = append(tags, fmt.Sprint(t))
		}
	}
	fmt.Println(strings.Join(tags, ","))
}

func lookup(id string) (doc map[string]map[string]interface{}, err error) {
	url := strings.Join([]string{api, "passports", id}, "/")
	resp, err := http.Get(url) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	buf := new(bytes.Buffer)
	if _, err = buf.ReadFrom(resp.Body); err != nil {
		return nil, err
	}
	err = json.Unmarshal(buf.Bytes(), &doc)
	return doc, err
}
