package typed

type Social struct {
	Source        string `json:"source"`
	FollowerCount int    `json:"follower_count"` // hazard: string-number
	ProfileName   string `json:"profile_name"`
}

type Passport struct {
	PassportId     int64    `json:"passport_id"` // hazard: integer-id
	IdentityScore  float64  `json:"identity_score"`
	SkillsScore    float64  `json:"skills_score"`
	Socials        []Social `json:"passport_socials"`
	LastCalculated string   `json:"last_calculated_at"`
}

type Envelope struct {
	Passport Passport `json:"passport"`
}
