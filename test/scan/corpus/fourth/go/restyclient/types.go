package restyclient

type Profile struct {
	Bio         string   `json:"bio"`
	DisplayName string   `json:"display_name"`
	Tags        []string `json:"tags"`
}

type Passport struct {
	PassportID    int     `json:"passport_id"` // hazard: integer-id
	ActivityScore float64 `json:"activity_score"`
	IdentityScore float64 `json:"identity_score"`
	MainWallet    string  `json:"main_wallet"`
	Merged        bool    `json:"merged"`
	Profile       Profile `json:"passport_profile"`
}

type listResponse struct {
	Passports  []Passport `json:"passports"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}
