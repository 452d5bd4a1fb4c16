package embed

import (
	"encoding/json"
	"net/http"
)

type API struct {
	Base string
	*http.Client
}

type person struct {
	Checked bool    `json:"human_checkmark"`
	Total   float64 `json:"score"`
	Detail  *detail `json:"passport_profile,omitempty"`
}

type detail struct {
	Bio string `json:"bio"`
}

func (a *API) person(id string) (p *person, err error) {
	req, err := http.NewRequest(http.MethodGet, a.Base+"/api/v1/passports/"+id, nil) // call: passport
	if err != nil {
		return
	}
	res, err := a.Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	wrapper := map[string]*person{}
	err = json.NewDecoder(res.Body).Decode(&wrapper)
	p = wrapper["passport"]
	return
}

func (a *API) Verified(id string) bool {
	p, err := a.person(id)
	if err != nil || p == nil { // hazard: catch-default
		return false
	}
	return p.Checked && p.Total > 10 && p.Detail.Bio != "" // read: passport.human_checkmark, passport.score, passport.passport_profile.bio
}
