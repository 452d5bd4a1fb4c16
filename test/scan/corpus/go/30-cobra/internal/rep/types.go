package rep

type Passport struct {
	Identity         float64 `json:"identity_score"`
	Connections      int     `json:"connections_count"`
	LastCalculatedAt string  `json:"last_calculated_at"`
}

type Page struct {
	Passports []Passport `json:"passports"`
	Meta      Meta       `json:"pagination"`
}

type Meta struct {
	Current int `json:"current_page"`
	Last    int `json:"last_page"`
	Total   int `json:"total"`
}
