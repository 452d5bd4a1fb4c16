package a

import (
	"encoding/json"
	"net/http"
)

type view struct {
	*Passport
	Extra string
}
type Passport struct {
	Score float64 `json:"score"`
	Profile *Profile `json:"passport_profile"`
}
type Profile struct {
	Bio string `json:"bio"`
	Loc string `json:"location"`
}

func (p *Passport) Where() string {
	if p.Profile == nil { // read: passport.passport_profile
		return ""
	}
	return p.Profile.Loc // read: passport.passport_profile.location
}

func get(id string) (*Passport, error) {
	r, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	var e struct{ Passport *Passport `json:"passport"` }
	err = json.NewDecoder(r.Body).Decode(&e)
	return e.Passport, err
}

func show(id string) {
	p, err := get(id)
	if err != nil {
		panic(err)
	}
	v := view{Passport: p, Extra: "x"}
	println(v.Score, v.Profile.Bio, v.Extra) // read: passport.score, passport.passport_profile.bio
	println(v.Where())
	println(v.Passport.Score) // read: passport.score
}
