package bordergate

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Booklet is a travel document as the ministry describes it.
type Booklet struct {
	PassportID string  `json:"passport_id"`
	Name       string  `json:"name"`
	Location   string  `json:"location"`
	Score      float64 `json:"score"`
	Category   string  `json:"category"`
}

type Gate struct {
	Ministry string
}

func (g *Gate) Read(number string) (*Booklet, error) {
	resp, err := http.Get(g.Ministry + "/v1/passport/" + number)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct {
		Passport Booklet `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	return &out.Passport, nil
}

func (g *Gate) List(keyword string) []Booklet {
	resp, err := http.Get(fmt.Sprintf("%s/api/v2/passports?keyword=%s", g.Ministry, keyword))
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	var out struct {
		Passports []Booklet `json:"passports"`
	}
	_ = json.NewDecoder(resp.Body).Decode(&out)
	return out.Passports
}

func (g *Gate) Open(number string) bool {
	b, err := g.Read(number)
	if err != nil {
		return false
	}
	return b.Category == "diplomatic" || b.Score < 50
}
