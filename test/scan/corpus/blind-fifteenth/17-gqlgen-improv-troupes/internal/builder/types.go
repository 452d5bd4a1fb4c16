package builder

type (
	PassportResponse struct {
		Passport Passport `json:"passport"`
	}

	PassportsResponse struct {
		Passports  []Passport `json:"passports"`
		Pagination struct {
			CurrentPage int `json:"current_page"`
			LastPage    int `json:"last_page"`
			Total       int `json:"total"`
		} `json:"pagination"`
	}

	CredentialsResponse struct {
		PassportCredentials []PassportCredential `json:"passport_credentials"`
	}

	Passport struct {
		PassportID      int              `json:"passport_id"`
		Score           int              `json:"score"`
		ActivityScore   int              `json:"activity_score"`
		SkillsScore     int              `json:"skills_score"`
		HumanCheckmark  bool             `json:"human_checkmark"`
		MainWallet      string           `json:"main_wallet"`
		PassportProfile *PassportProfile `json:"passport_profile"`
		PassportSocials []PassportSocial `json:"passport_socials,omitempty"`
	}

	PassportProfile struct {
		Bio         string   `json:"bio"`
		DisplayName string   `json:"display_name"`
		Tags        []string `json:"tags"`
	}

	PassportSocial struct {
		Source        string `json:"source"`
		FollowerCount string `json:"follower_count"`
	}

	PassportCredential struct {
		Type  string  `json:"type"`
		Name  string  `json:"name"`
		Score float64 `json:"score"`
	}
)
