package a

import (
	"encoding/json"
	"net/http"
)

type Passport struct {
	ID      int    `json:"passport_id"` // hazard: integer-id
	Profile Profile `json:"passport_profile"`
	Socials []*Social `json:"passport_socials"`
}
type Profile struct {
	Name string   `json:"display_name"`
	Tags []string `json:"tags"`
}
type Social struct {
	Name      string `json:"profile_name"`
	Followers string `json:"follower_count"`
}

type loader struct{ cache map[string]*Passport }

func (l *loader) Load(id string) (*Passport, error) {
	if p := l.cache[id]; p != nil {
		return p, nil
	}
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body := make(map[string]*Passport, 1)
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	l.cache[id] = body["passport"]
	return l.cache[id], nil
}

type resolver struct{ l *loader }
type personResolver struct{ p *Passport }

func (r *resolver) Person(args struct{ ID string }) (*personResolver, error) {
	p, err := r.l.Load(args.ID)
	if err != nil {
		return nil, err
	}
	return &personResolver{p}, nil
}

func (r *personResolver) Name() string { return r.p.Profile.Name } // read: passport.passport_profile.display_name
func (r *personResolver) Tags() *[]string { return &r.p.Profile.Tags } // read: passport.passport_profile.tags[]
func (r *personResolver) Socials() []*socialResolver {
	out := make([]*socialResolver, 0, len(r.p.Socials)) // read: passport.passport_socials
	for _, s := range r.p.Socials { // read: passport.passport_socials
		out = append(out, &socialResolver{s: s})
	}
	return out
}

type socialResolver struct{ s *Social }

func (r *socialResolver) Handle() string { return r.s.Name } // read: passport.passport_socials[].profile_name
