package a

import (
	"encoding/json"
	"net/http"
)

type Page[T any] struct {
	Items []T  `json:"passports"`
	Pg    Meta `json:"pagination"`
}
type Meta struct {
	Total int `json:"total"`
}
type Row struct {
	ID  int    `json:"passport_id"`
	Act float64 `json:"activity_score"`
}

func load(base string) (*Page[Row], error) {
	resp, err := http.Get(base + "/api/v1/passports") // call: passport-list
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	p := &Page[Row]{}
	return p, json.NewDecoder(resp.Body).Decode(p)
}

func sum(rows []Row) (t float64) {
	for _, r := range rows {
		t += r.Act // read: passports[].activity_score
	}
	return
}

type store struct{ rows []Row }

func (s *store) add(rows ...Row) { s.rows = append(s.rows, rows...) }
func (s *store) ids() (out []int) {
	for _, r := range s.rows {
		out = append(out, r.ID) // read: passports[].passport_id
	}
	return
}

func main() {
	p, err := load("https://h")
	if err != nil {
		panic(err)
	}
	println(sum(p.Items), p.Pg.Total) // read: pagination.total
	s := &store{}
	s.add(p.Items...)
	println(len(s.ids()))
}
