package rep

type Passport struct {
	Score float64  `json:"score"`
	Soc   []Social `json:"passport_socials"`
}
type Social struct {
	Source string `json:"source"`
	Image  string `json:"profile_image_url"`
}
type Envelope struct {
	Passport Passport `json:"passport"`
}

func (p Passport) Find(source string) (Social, bool) {
	for _, s := range p.Soc { // read: passport.passport_socials
		if s.Source == source { // read: passport.passport_socials[].source
			return s, true
		}
	}
	return Social{}, false
}
