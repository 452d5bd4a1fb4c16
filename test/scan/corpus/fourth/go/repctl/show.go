package main

import "fmt"

type detail struct {
	Passport struct {
		Merged  bool `json:"merged"`
		Socials []struct {
			Source string `json:"source"`
			Image  string `json:"profile_image_url"`
		} `json:"passport_socials"`
	} `json:"passport"`
}

func (a *api) show(id string) error {
	var d detail
	if err := a.do("passports/"+id, &d); err != nil { // call: passport
		return err
	}
	fmt.Println("merged:", d.Passport.Merged) // read: passport.merged
	for i := range d.Passport.Socials { // read: passport.passport_socials
		s := &d.Passport.Socials[i] // read: passport.passport_socials
		fmt.Println(s.Source, s.Image) // read: passport.passport_socials[].source, passport.passport_socials[].profile_image_url
	}
	return nil
}
