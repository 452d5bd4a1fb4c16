package passports

// Passport is the record of the upstream service, as far as we need it.
type Passport struct {
	ID             int      `json:"passport_id"`
	Score          int      `json:"score"`
	SkillsScore    float64  `json:"skills_score"`
	Calculating    bool     `json:"calculating_score"`
	Human          bool     `json:"human_checkmark"`
	MainWallet     string   `json:"main_wallet"`
	Wallets        []string `json:"verified_wallets"`
	LastCalculated string   `json:"last_calculated_at"`
	Profile        Profile  `json:"passport_profile"`
	Socials        []Social `json:"passport_socials,omitempty"`
}

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source    string `json:"source"`
	URL       string `json:"profile_url"`
	Followers string `json:"follower_count"`
}

type Credential struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

func (p Passport) HasTag(tag string) bool {
	for _, t := range p.Profile.Tags {
		if t == tag {
			return true
		}
	}
	return false
}
