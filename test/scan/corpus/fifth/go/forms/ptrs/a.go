package a

import (
	"encoding/json"
	"net/http"
)

type P struct {
	Score *float64 `json:"score"`
	Conn  *int     `json:"connections_count"`
	Name  *struct {
		D *string `json:"display_name"`
	} `json:"passport_profile"`
}

func val[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
func or[T any](p *T, d T) T {
	if p != nil {
		return *p
	}
	return d
}

func get(id string) (p *P, err error) {
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&struct {
		Passport **P `json:"passport"`
	}{&p})
	return p, err
}

func main() {
	p, err := get("1")
	if err != nil {
		panic(err)
	}
	println(val(p.Score), or(p.Conn, 0)) // read: passport.score, passport.connections_count
	if n := p.Name; n != nil && n.D != nil { // read: passport.passport_profile.display_name
		println(*n.D) // read: passport.passport_profile.display_name
	}
}
