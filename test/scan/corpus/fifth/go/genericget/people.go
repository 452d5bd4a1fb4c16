package genericget

import "net/url"

type person struct {
	PassportID    int64   `json:"passport_id"` // hazard: integer-id
	IdentityScore float64 `json:"identity_score"`
	Profile       struct {
		Bio string `json:"bio"`
	} `json:"passport_profile"`
}

type people struct {
	Passports []person `json:"passports"`
}

type single struct {
	Passport person `json:"passport"`
}

func Lucky(keyword string) (int64, error) {
	list, err := get[people]("/passports?keyword=" + url.QueryEscape(keyword)) // call: passport-list
	if err != nil {
		return 0, err
	}
	p, ok := first(list.Passports)
	if !ok {
		return -1, nil
	}
	return p.PassportID, nil // read: passports[].passport_id
}

func Bio(id string) string {
	s, err := get[single]("/passports/" + id) // call: passport
	if err != nil { // hazard: catch-default
		return ""
	}
	if s.Passport.IdentityScore < 1 { // read: passport.identity_score
		return "?"
	}
	return s.Passport.Profile.Bio // read: passport.passport_profile.bio
}

func local() int64 {
	me := person{PassportID: 7, IdentityScore: 1}
	return me.PassportID + int64(me.IdentityScore)
}
