package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

const listPath = "/api/v1/passports?page=%d"

type row struct {
	PassportId       int     `json:"passport_id"` // hazard: integer-id
	ActivityScore    float64 `json:"activity_score"`
	IdentityScore    float64 `json:"identity_score"`
	SkillsScore      float64 `json:"skills_score"`
	ConnectionsCount int     `json:"connections_count"`
	MainWallet       string  `json:"main_wallet"`
}

type reply struct {
	Passports  []row `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}

func fetch(page int) (r reply, err error) {
	req, err := http.NewRequest(http.MethodGet, os.Getenv("REP_BASE")+fmt.Sprintf(listPath, page), nil) // call: passport-list
	if err != nil {
		return r, err
	}
	req.Header.Add("X-API-KEY", os.Getenv("REP_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return r, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return r, fmt.Errorf("page %d: %s", page, resp.Status)
	}
	err = json.NewDecoder(resp.Body).Decode(&r)
	return r, err
}

func main() {
	w := csv.NewWriter(os.Stdout)
	defer w.Flush()
	_ = w.Write([]string{"passport_id", "activity_score", "identity_score", "skills_score", "main_wallet"})

	tick := time.NewTicker(500 * time.Millisecond)
	for page := 1; ; page++ {
		<-tick.C
		r, err := fetch(page)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range r.Passports {
			_ = w.Write([]string{
				strconv.Itoa(p.PassportId), // read: passports[].passport_id
				f(p.ActivityScore), f(p.IdentityScore), f(p.SkillsScore), // read: passports[].activity_score, passports[].identity_score, passports[].skills_score
				p.MainWallet, // read: passports[].main_wallet
			})
		}
		log.Printf("page %d of %d, %d rows in all", r.Pagination.CurrentPage, r.Pagination.LastPage, r.Pagination.Total) // read: pagination.current_page, pagination.last_page, pagination.total
		if page >= r.Pagination.LastPage { // read: pagination.last_page
			return
		}
	}
}

func f(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
