package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func get(path string, out any) error {
	resp, err := http.Get(os.Getenv("BASE") + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

type order struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

func orders(user string) ([]order, error) {
	var out struct {
		Orders []order `json:"orders"`
	}
	err := get("/shop/orders?user="+user, &out)
	return out.Orders, err
}

type person struct {
	Passport struct {
		Score float64 `json:"score"`
		Human bool    `json:"human_checkmark"`
	} `json:"passport"`
}

func score(wallet string) float64 {
	var p person
	if err := get("/api/v1/passports/"+wallet, &p); err != nil { // call: passport; hazard: catch-default
		return 0
	}
	return p.Passport.Score // read: passport.score
}
