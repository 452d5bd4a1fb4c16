package reputation

type Passport struct {
	ID      string   `json:"main_wallet"`
	Score   float64  `json:"score"`
	Profile Profile  `json:"passport_profile"`
	Wallets []string `json:"verified_wallets"`
}

type Profile struct {
	Name string   `json:"display_name"`
	Tags []string `json:"tags,omitempty"`
}

type Credential struct {
	Kind  string  `json:"type"`
	Score float64 `json:"score"`
	Value string  `json:"value"`
}
