package main

import (
	"fmt"
	"log"

	"example.com/sdk"
)

func main() {
	c := sdk.NewClient("https://rep.example.org")
	opt := &sdk.ListOptions{Keyword: "ana", Page: 1}
	for {
		people, paging, err := c.Passports.List(opt)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range people {
			fmt.Println(p.Name(), p.GetScore())
			creds, err := c.Credentials.For(*p.PassportID) // read: passports[].passport_id
			if err != nil {
				log.Fatal(err)
			}
			for _, cr := range creds {
				fmt.Println(cr.Name, cr.MaxScore) // read: passport_credentials[].name, passport_credentials[].max_score
			}
		}
		if paging.CurrentPage == paging.LastPage { // read: pagination.current_page, pagination.last_page
			break
		}
		opt.Page++
	}
}
