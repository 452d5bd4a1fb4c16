package cmd

type passport struct {
	PassportID     int      `json:"passport_id"`
	Score          int      `json:"score"`
	Connections    int      `json:"connections_count"`
	HumanCheckmark bool     `json:"human_checkmark"`
	MainWallet     string   `json:"main_wallet"`
	Wallets        []string `json:"verified_wallets"`
	Profile        struct {
		DisplayName string `json:"display_name"`
		Bio         string `json:"bio"`
		Location    string `json:"location"`
	} `json:"passport_profile"`
}

type credential struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Category string `json:"category"`
	Score    int    `json:"score"`
	Value    string `json:"value"`
	EarnedAt string `json:"earned_at"`
}
