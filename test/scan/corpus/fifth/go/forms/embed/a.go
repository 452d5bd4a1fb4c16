package a

import (
	"encoding/json"
	"net/http"
)

type base struct {
	Score float64 `json:"score"`
	Human bool    `json:"human_checkmark"`
}
type Full struct {
	base
	Socials []struct {
		Source string `json:"source"`
		Bio    string `json:"profile_bio"`
	} `json:"passport_socials"`
}
type reply struct {
	Full `json:"passport"`
	Err  string `json:"error"`
}

func load(c *http.Client, id string) (rep reply) {
	req, err := http.NewRequest("GET", "https://h/api/v1/passports/"+id, nil) // call: passport
	if err != nil {
		panic(err)
	}
	res, err := c.Do(req)
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&rep); err != nil {
		panic(err)
	}
	return rep
}

func main() {
	r := load(http.DefaultClient, "1")
	println(r.Score, r.Full.Human) // read: passport.score, passport.human_checkmark
	for i, s := range r.Socials { // read: passport.passport_socials
		println(i, s.Bio, r.Socials[i].Source) // read: passport.passport_socials[].profile_bio, passport.passport_socials[].source
	}
}
