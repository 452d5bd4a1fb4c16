package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
)

type Person struct {
	Wallet  string `json:"main_wallet"`
	Checked bool   `json:"human_checkmark"`
	Profile *struct {
		Tags     []string `json:"tags"`
		Location *string  `json:"location,omitempty"`
	} `json:"passport_profile,omitempty"`
}

type listing struct {
	Passports  []Person `json:"passports"`
	Pagination struct {
		Last int `json:"last_page"`
	} `json:"pagination"`
}

func stream(out chan<- Person) {
	defer close(out)
	for n, last := 1, 1; n <= last; n++ {
		resp, err := http.Get(fmt.Sprintf(listPattern, n)) // call: passport-list
		if err != nil { // hazard: catch-default
			log.Print(err)
			return
		}
		var l listing
		json.NewDecoder(resp.Body).Decode(&l) // hazard: catch-default
		resp.Body.Close()
		last = l.Pagination.Last // read: pagination.last_page
		for _, p := range l.Passports {
			out <- p
		}
	}
}

func main() {
	ch := make(chan Person)
	go stream(ch)
	for person := range ch {
		if !person.Checked || person.Profile == nil { // read: passports[].human_checkmark, passports[].passport_profile
			continue
		}
		if loc := person.Profile.Location; loc != nil { // read: passports[].passport_profile.location
			fmt.Println(person.Wallet, *loc, person.Profile.Tags) // read: passports[].main_wallet, passports[].passport_profile.tags[]
		}
	}
}
