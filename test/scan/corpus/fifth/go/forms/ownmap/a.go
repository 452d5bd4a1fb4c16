package a

import (
	"encoding/json"
	"net/http"
)

type Person struct {
	Name  string
	Score float64
}
type dto struct {
	Passport struct {
		Score           float64 `json:"score"`
		PassportProfile struct {
			DisplayName string `json:"display_name"`
		} `json:"passport_profile"`
	} `json:"passport"`
}

func (d dto) toPerson() Person {
	return Person{Name: d.Passport.PassportProfile.DisplayName, Score: d.Passport.Score} // read: passport.passport_profile.display_name, passport.score
}

func load(id string) (Person, error) {
	r, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return Person{}, err
	}
	defer r.Body.Close()
	d, err := decode[dto](r)
	if err != nil {
		return Person{}, err
	}
	return d.toPerson(), nil
}

func decode[T any](r *http.Response) (out T, err error) {
	err = json.NewDecoder(r.Body).Decode(&out)
	return out, err
}

func main() {
	p, err := load("x")
	if err != nil {
		panic(err)
	}
	println(p.Name, p.Score)
}
