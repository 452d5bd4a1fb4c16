package talent

type passportResponse struct {
	Passport Passport `json:"passport" validate:"required"`
}

type credentialsResponse struct {
	Credentials []Credential `json:"passport_credentials" validate:"dive"`
}

type Passport struct {
	ID             int64    `json:"passport_id" validate:"required"`
	Score          *int     `json:"score" validate:"required"`
	SkillsScore    int      `json:"skills_score"`
	HumanCheckmark bool     `json:"human_checkmark"`
	Merged         bool     `json:"merged"`
	Wallets        []string `json:"verified_wallets"`
	Profile        Profile  `json:"passport_profile"`
	Socials        []Social `json:"passport_socials" validate:"dive"`
}

type Profile struct {
	DisplayName string `json:"display_name"`
	Location    string `json:"location,omitempty"`
}

type Social struct {
	Source      string `json:"source" validate:"required"`
	ProfileName string `json:"profile_name"`
}

// Handle returns the profile name on the given network, or "".
func (p *Passport) Handle(source string) string {
	for _, s := range p.Socials {
		if s.Source == source {
			return s.ProfileName
		}
	}
	return ""
}

type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Type     string  `json:"type" validate:"required"`
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	EarnedAt *string `json:"earned_at"`
}
