package rep

import "net/url"

type Scores struct {
	Activity float64 `json:"activity_score"`
	Skills   float64 `json:"skills_score"`
}

type Passport struct {
	Scores
	Checkmark bool     `json:"human_checkmark"`
	Wallets   []string `json:"verified_wallets"`
}

type Credential struct {
	Kind  string `json:"type"`
	Value string `json:"value"`
}

func (s *PassportService) Get(id string) (*Passport, error) {
	var r struct {
		Passport *Passport `json:"passport"`
	}
	if err := s.getJSON("/passports/"+url.PathEscape(id), &r); err != nil { // call: passport
		return nil, err
	}
	return r.Passport, nil
}

func (s CredentialService) List(id string) ([]Credential, error) {
	var r struct {
		Items []Credential `json:"passport_credentials"`
	}
	err := s.getJSON("/passport_credentials?passport_id="+id, &r) // call: passport-credentials
	return r.Items, err
}
