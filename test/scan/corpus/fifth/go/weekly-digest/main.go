package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/smtp"
	"os"
	"strings"

	"github.com/robfig/cron/v3"
)

type entry struct {
	PassportID int      `json:"passport_id"` // hazard: integer-id
	Score      *float64 `json:"score"`
	Profile    struct {
		DisplayName *string `json:"display_name"`
		Location    string  `json:"location"`
	} `json:"passport_profile"`
}

func (e entry) points() float64 {
	if e.Score == nil { // read: passports[].score; hazard: fallback-default
		return 0
	}
	return *e.Score // read: passports[].score
}

func top() []entry {
	resp, err := http.Get(os.Getenv("REP_BASE") + "/api/v1/passports") // call: passport-list
	if err != nil { // hazard: catch-default
		return nil
	}
	defer resp.Body.Close()
	var list struct {
		Passports  []entry `json:"passports"`
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	json.NewDecoder(resp.Body).Decode(&list) // hazard: catch-default
	log.Printf("%d passports in all", list.Pagination.Total) // read: pagination.total
	return list.Passports
}

func digest() {
	var b strings.Builder
	for i, e := range top() {
		name := "unnamed"
		if e.Profile.DisplayName != nil { // read: passports[].passport_profile.display_name
			name = *e.Profile.DisplayName // read: passports[].passport_profile.display_name
		}
		fmt.Fprintf(&b, "%2d. #%d %s (%s): %.0f\n", i+1, e.PassportID, name, e.Profile.Location, e.points()) // read: passports[].passport_id, passports[].passport_profile.location
	}
	err := smtp.SendMail(os.Getenv("SMTP"), nil, "digest@example.org", subscribers(), []byte(b.String()))
	if err != nil {
		log.Print(err)
	}
}

func main() {
	c := cron.New()
	if _, err := c.AddFunc("@weekly", digest); err != nil {
		log.Fatal(err)
	}
	c.Run()
}
