package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type getter struct{ base string }

func (g getter) get(path string, out any) error {
	r, err := http.Get(g.base + path)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(out)
}

type player struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	Type  string  `json:"type"`
}

type credential struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

func main() {
	rep := getter{os.Getenv("REP")}
	game := getter{base: os.Getenv("GAME")}
	var creds struct {
		Items []credential `json:"passport_credentials"`
	}
	if err := rep.get("/api/v1/passport_credentials?passport_id=1", &creds); err != nil { // call: passport-credentials
		panic(err)
	}
	var players []player
	if err := game.get("/api/v1/players", &players); err != nil {
		panic(err)
	}
	for _, p := range players {
		fmt.Println(p.Name, p.Score, p.Type)
	}
	for _, c := range creds.Items {
		fmt.Println(c.Name, c.Score) // read: passport_credentials[].name, passport_credentials[].score
	}
	var me player
	if err := game.get("/api/v1/players/me", &me); err != nil {
		panic(err)
	}
	fmt.Println(me.Score)
	var team struct {
		Captain player `json:"passport"`
	}
	if err := game.get("/api/v1/team", &team); err == nil {
		fmt.Println(team.Captain.Score)
	}
}
