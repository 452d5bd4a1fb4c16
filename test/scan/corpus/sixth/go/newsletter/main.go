package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

type Envelope[T any] struct {
	Passports  []T `json:"passports"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}

type Subscriber struct {
	Email    string
	Location string
	Tags     []string
	Score    float64
}

func getJSON[T any](url string) (T, error) {
	var out T
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return out, err
	}
	req.Header.Set("X-API-KEY", os.Getenv("PASSPORT_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}

type person struct {
	MainWallet string `json:"main_wallet"`
	Profile    struct {
		Name     string   `json:"display_name"`
		Location string   `json:"location"`
		Tags     []string `json:"tags"`
	} `json:"passport_profile"`
}

func main() {
	base := flag.String("base", "https://passports.example", "address of the service")
	flag.Parse()

	page, err := getJSON[Envelope[person]](*base + "/api/v1/passports?keyword=" + flag.Arg(0)) // call: passport-list
	if err != nil {
		log.Fatal(err)
	}
	subs, err := getJSON[[]Subscriber]("https://mail.example/api/v1/subscribers")
	if err != nil {
		log.Fatal(err)
	}

	fmt.Printf("%d people\n", page.Pagination.Total) // read: pagination.total
	for _, p := range page.Passports {
		fmt.Printf("- %s (%s)\n", p.Profile.Name, p.Profile.Location) // read: passports[].passport_profile.display_name, passports[].passport_profile.location
		fmt.Println("  ", strings.Join(p.Profile.Tags, ", ")) // read: passports[].passport_profile.tags[]
		for _, s := range subs {
			if s.Location == p.Profile.Location && s.Score > 0 { // read: passports[].passport_profile.location
				fmt.Println("   near", s.Email, strings.Join(s.Tags, "/"))
			}
		}
	}
}
