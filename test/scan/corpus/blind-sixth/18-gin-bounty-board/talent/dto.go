package talent

// Answers of the passport service. Only what the board needs.

type passportDTO struct {
	PassportId       int      `json:"passport_id"`
	Score            *float64 `json:"score"`
	SkillsScore      float64  `json:"skills_score"`
	HumanCheckmark   bool     `json:"human_checkmark"`
	CalculatingScore bool     `json:"calculating_score"`
	MainWallet       string   `json:"main_wallet"`
	VerifiedWallets  []string `json:"verified_wallets"`
	ConnectionsCount int      `json:"connections_count"`
	PassportProfile  struct {
		DisplayName string   `json:"display_name"`
		Bio         string   `json:"bio"`
		Tags        []string `json:"tags"`
	} `json:"passport_profile"`
	PassportSocials []struct {
		Source             string `json:"source"`
		ProfileURL         string `json:"profile_url"`
		ProfileDisplayName string `json:"profile_display_name"`
	} `json:"passport_socials"`
}

type credentialDTO struct {
	Type     string  `json:"type"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	Name     string  `json:"name"`
}

// Hunter is our own picture of a person; it is what the board sends to the browser.
type Hunter struct {
	PassportID int               `json:"passport_id"`
	Name       string            `json:"display_name"`
	Bio        string            `json:"bio,omitempty"`
	Score      float64           `json:"score"`
	Human      bool              `json:"human_checkmark"`
	Pending    bool              `json:"pending"`
	Wallets    []string          `json:"verified_wallets"`
	Links      map[string]string `json:"links,omitempty"`
	Skills     []string          `json:"skills"`
}

func (d passportDTO) hunter() Hunter {
	h := Hunter{
		PassportID: d.PassportId,
		Name:       d.PassportProfile.DisplayName,
		Bio:        d.PassportProfile.Bio,
		Human:      d.HumanCheckmark,
		Pending:    d.CalculatingScore,
		Wallets:    d.VerifiedWallets,
		Skills:     d.PassportProfile.Tags,
		Links:      map[string]string{},
	}
	if d.Score != nil {
		h.Score = *d.Score
	}
	if len(h.Wallets) == 0 && d.MainWallet != "" {
		h.Wallets = []string{d.MainWallet}
	}
	for _, s := range d.PassportSocials {
		if s.ProfileURL == "" {
			continue
		}
		h.Links[s.Source] = s.ProfileURL
		if h.Name == "" {
			h.Name = s.ProfileDisplayName
		}
	}
	return h
}
