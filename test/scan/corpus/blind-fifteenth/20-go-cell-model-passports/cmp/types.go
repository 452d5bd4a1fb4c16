package cmp

// Passport describes a cell model.
type Passport struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		Names     []string `json:"names"`
		ModelType string   `json:"model_type"`
		Tags      []string `json:"tags"`
		Merged    bool     `json:"merged"`
		Score     float64  `json:"mutations_per_mb"`
	} `json:"attributes"`
}

func (p Passport) DisplayName() string {
	if len(p.Attributes.Names) == 0 {
		return p.ID
	}
	return p.Attributes.Names[0]
}

// Essentiality is the score of one gene in one model.
type Essentiality struct {
	Attributes struct {
		Symbol string  `json:"gene_symbol"`
		Source string  `json:"source"`
		Score  float64 `json:"bf_scaled"`
		QCPass bool    `json:"qc_pass"`
	} `json:"attributes"`
}
