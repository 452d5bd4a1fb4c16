package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
)

type job struct {
	name string
	url  string
	read func([]byte) error
}

type listBody struct {
	Passports []struct {
		ID     int    `json:"passport_id"` // hazard: integer-id
		Wallet string `json:"main_wallet"`
	} `json:"passports"`
}

func printList(b []byte) error {
	var l listBody
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	for _, p := range l.Passports {
		fmt.Println(p.ID, p.Wallet) // read: passports[].passport_id, passports[].main_wallet
	}
	return nil
}

var jobs = []job{
	{"list", "https://rep.example.org/api/v1/passports", printList},
	{name: "weather", url: "https://weather.example.com/api/v1/today", read: func(b []byte) error { return nil }},
}

func main() {
	for _, j := range jobs {
		resp, err := http.Get(j.url) // call: passport-list
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if err := j.read(body); err != nil {
			log.Fatal(err)
		}
	}
}
