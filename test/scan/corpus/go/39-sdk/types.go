package sdk

type passportsRoot struct {
	Passports  []*Passport `json:"passports"`
	Pagination *Pagination `json:"pagination"`
}

type Pagination struct {
	CurrentPage int `json:"current_page"`
	LastPage    int `json:"last_page"`
}

type Passport struct {
	PassportID *int     `json:"passport_id,omitempty"` // hazard: integer-id
	Score      *float64 `json:"score,omitempty"`
	Profile    *Profile `json:"passport_profile,omitempty"`
}

type Profile struct {
	DisplayName *string `json:"display_name,omitempty"`
}

func (p *Passport) GetScore() float64 {
	if p == nil || p.Score == nil { // read: passports[].score; hazard: fallback-default
		return 0
	}
	return *p.Score // read: passports[].score
}

func (p *Passport) Name() string {
	if p.Profile == nil || p.Profile.DisplayName == nil { // read: passports[].passport_profile.display_name
		return ""
	}
	return *p.Profile.DisplayName // read: passports[].passport_profile.display_name
}

type Credential struct {
	Name     string  `json:"name"`
	MaxScore float64 `json:"max_score"`
}
