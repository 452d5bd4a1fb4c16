package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"example.org/score-cache/internal/cache"
)

type passportBody struct {
	Passport struct {
		Score          *int     `json:"score"`
		IdentityScore  *int     `json:"identity_score"`
		MainWallet     string   `json:"main_wallet"`
		VerifiedWallet []string `json:"verified_wallets"`
	} `json:"passport"`
}

var base = os.Getenv("REP_BASE")

func loadV1(wallet string) (body passportBody, err error) {
	url := base + "/api/v1/passports/" + wallet
	resp, err := http.Get(url) // call: passport
	if err != nil {
		return body, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return body, fmt.Errorf("%s answered %s", url, resp.Status)
	}
	err = json.NewDecoder(resp.Body).Decode(&body)
	return body, err
}

func loadV2(wallet string) (points int, err error) {
	resp, err := http.Get(base + "/api/v2/passports/" + wallet)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	var body struct{ Score *int }
	_ = json.NewDecoder(resp.Body).Decode(&body)
	if body.Score == nil {
		return 0, nil
	}
	return *body.Score, nil
}

func main() {
	old := cache.New(10*time.Minute, loadV1)
	fresh := cache.New(time.Minute, loadV2)

	http.HandleFunc("GET /compare/{wallet}", func(w http.ResponseWriter, r *http.Request) {
		wallet := r.PathValue("wallet")
		body, err := old.Get(wallet)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if body.Passport.Score == nil { // read: passport.score
			http.Error(w, "no score yet", http.StatusNotFound)
			return
		}
		was := *body.Passport.Score // read: passport.score
		is, _ := fresh.Get(wallet)
		fmt.Fprintf(w, "%s %d -> %d, %d wallets\n", body.Passport.MainWallet, was, is, len(body.Passport.VerifiedWallet)) // read: passport.main_wallet, passport.verified_wallets[]
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
