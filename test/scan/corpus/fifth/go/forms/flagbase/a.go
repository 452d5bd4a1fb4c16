package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
)

var (
	host    string
	verbose bool
)

type Social struct {
	Source    string `json:"source"`
	Followers string `json:"follower_count"`
	Following string `json:"following_count"`
}

type totals struct{ followers, following int64 }

func (t *totals) add(s Social) {
	if n, err := strconv.ParseInt(strings.ReplaceAll(s.Followers, ",", ""), 10, 64); err == nil { // read: passport.passport_socials[].follower_count
		t.followers += n
	}
	var n int64
	fmt.Sscanf(s.Following, "%d", &n) // read: passport.passport_socials[].following_count; hazard: string-number
	t.following += n
}

func fetch(path string) (body []byte, err error) {
	var res *http.Response
	res, err = http.Get(host + path)
	if err != nil {
		return
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	return
}

func main() {
	flag.StringVar(&host, "host", "https://h", "")
	flag.Parse()
	for _, id := range flag.Args() {
		b, err := fetch("/api/v1/passports/" + id) // call: passport
		if err != nil {
			log.Fatalf("%s: %v", id, err)
		}
		var v struct {
			Passport struct {
				Socials []Social `json:"passport_socials"`
				Name    string   `json:"main_wallet"`
			}
		}
		if err := json.Unmarshal(b, &v); err != nil {
			log.Fatal(err)
		}
		var t totals
		for _, s := range v.Passport.Socials { // read: passport.passport_socials
			if s.Source == "" { // read: passport.passport_socials[].source
				continue
			}
			t.add(s)
		}
		fmt.Println(v.Passport.Name, t.followers, t.following) // read: passport.main_wallet
	}
}
