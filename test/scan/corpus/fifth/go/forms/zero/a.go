package a

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
)

type reply struct {
	Passport struct {
		Score float64 `json:"score"`
	} `json:"passport"`
}

func Score(id string) float64 {
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil { // hazard: catch-default
		log.Println(err)
		return 0
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK { // hazard: status-default
		return 0
	}
	b, _ := io.ReadAll(resp.Body) // hazard: catch-default
	var r reply
	if err := json.Unmarshal(b, &r); err != nil { // hazard: catch-default
		log.Printf("bad: %v", err)
	}
	return r.Passport.Score // read: passport.score
}

func Must(id string) (s float64) {
	defer func() {
		if r := recover(); r != nil {
			s = 0
		}
	}()
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		panic(err)
	}
	var r reply
	if json.NewDecoder(resp.Body).Decode(&r) != nil { // hazard: catch-default
		return
	}
	return r.Passport.Score // read: passport.score
}
