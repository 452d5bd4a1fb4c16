package builderrep

import "strings"

type Passport struct {
	PassportID      int      `json:"passport_id"`
	Score           *int     `json:"score"`
	ActivityScore   int      `json:"activity_score"`
	IdentityScore   int      `json:"identity_score"`
	SkillsScore     int      `json:"skills_score"`
	HumanCheckmark  bool     `json:"human_checkmark"`
	MainWallet      string   `json:"main_wallet"`
	VerifiedWallets []string `json:"verified_wallets"`
	Profile         *Profile `json:"passport_profile,omitempty"`
	Socials         []Social `json:"passport_socials,omitempty"`
}

type Profile struct {
	DisplayName string   `json:"display_name"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source      string `json:"source"`
	ProfileName string `json:"profile_name"`
}

type Credential struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Value    string `json:"value"`
	EarnedAt string `json:"earned_at"`
}

type passportResponse struct {
	Passport Passport `json:"passport"`
}

type credentialsResponse struct {
	PassportCredentials []Credential `json:"passport_credentials"`
}

type listResponse struct {
	Passports  []Passport `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
	} `json:"pagination"`
}

func (p *Passport) Points() int {
	if p.Score == nil {
		return 0
	}
	return *p.Score
}

func (p *Passport) Name() string {
	if p.Profile != nil && p.Profile.DisplayName != "" {
		return p.Profile.DisplayName
	}
	for _, s := range p.Socials {
		if s.ProfileName != "" {
			return "@" + s.ProfileName
		}
	}
	return p.MainWallet
}

func (p *Passport) Owns(wallet string) bool {
	for _, w := range append(p.VerifiedWallets, p.MainWallet) {
		if strings.EqualFold(w, wallet) {
			return true
		}
	}
	return false
}
