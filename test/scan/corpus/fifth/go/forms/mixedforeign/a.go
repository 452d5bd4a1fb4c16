package a

import (
	"encoding/json"
	"net/http"
)

type Game struct {
	Score float64 `json:"score"`
	Name  string  `json:"name"`
}
type Cred struct {
	Score float64 `json:"score"`
	Name  string  `json:"name"`
}

func get(u string, v any) error {
	r, err := http.Get(u)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(v)
}

func games() ([]Game, error) {
	var out struct{ Games []Game `json:"games"` }
	err := get("https://games.example/api/v1/games", &out)
	return out.Games, err
}

func creds(id string) ([]Cred, error) {
	var out struct{ L []Cred `json:"passport_credentials"` }
	err := get("https://h/api/v1/passport_credentials?passport_id="+id, &out) // call: passport-credentials
	return out.L, err
}

func main() {
	gs, err := games()
	if err != nil {
		panic(err)
	}
	for _, g := range gs {
		println(g.Name, g.Score)
	}
	cs, err := creds("1")
	if err != nil {
		panic(err)
	}
	for _, c := range cs {
		println(c.Name, c.Score) // read: passport_credentials[].name, passport_credentials[].score
	}
	fake := Cred{Name: "x", Score: 2}
	println(fake.Name, fake.Score)
}
