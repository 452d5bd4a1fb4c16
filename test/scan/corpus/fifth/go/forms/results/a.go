package a

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"
)

type Social struct {
	Src  string `json:"source"`
	Flw  int    `json:"follower_count,string"` // hazard: string-number
	Name string `json:"profile_display_name"`
}
type Passport struct {
	Calc    time.Time `json:"last_calculated_at"`
	Socials []Social  `json:"passport_socials"`
	Wallets []string  `json:"verified_wallets"`
}

type APIError struct{ Code int }

func (e *APIError) Error() string { return strconv.Itoa(e.Code) }

func get(id string) (*Passport, error) {
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if c := resp.StatusCode; c != 200 {
		return nil, &APIError{c}
	}
	var v struct {
		Passport Passport
	}
	dec := json.NewDecoder(resp.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return &v.Passport, nil
}

func stale(ids ...string) (old []string, err error) {
outer:
	for _, id := range ids {
		p, err := get(id)
		var ae *APIError
		switch {
		case errors.As(err, &ae) && ae.Code == 404:
			continue outer
		case err != nil:
			return nil, err
		case time.Since(p.Calc) > time.Hour: // read: passport.last_calculated_at
			old = append(old, p.Wallets...) // read: passport.verified_wallets[]
		}
		reach := 0
		for i := 0; i < len(p.Socials); i++ { // read: passport.passport_socials
			s := &p.Socials[i] // read: passport.passport_socials
			reach = max(reach, s.Flw) // read: passport.passport_socials[].follower_count; hazard: string-number
			defer func(n string) { println(n) }(s.Name) // read: passport.passport_socials[].profile_display_name
		}
	}
	return old, nil
}
