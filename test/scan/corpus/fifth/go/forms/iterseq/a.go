package a

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
)

type page struct {
	List []person `json:"passports"`
	Pg   struct {
		Cur  int `json:"current_page"`
		Last int `json:"last_page"`
	} `json:"pagination"`
}
type person struct {
	ID int `json:"passport_id"` // hazard: integer-id
	Sk float64 `json:"skills_score"`
}

func pages(base string) iter.Seq2[person, error] {
	return func(yield func(person, error) bool) {
		for n := 1; ; n++ {
			resp, err := http.Get(fmt.Sprintf("%s/api/v1/passports?page=%d", base, n)) // call: passport-list
			if err != nil {
				yield(person{}, err)
				return
			}
			var p page
			err = json.NewDecoder(resp.Body).Decode(&p)
			resp.Body.Close()
			if err != nil {
				yield(person{}, err)
				return
			}
			for _, x := range p.List {
				if !yield(x, nil) {
					return
				}
			}
			if p.Pg.Cur >= p.Pg.Last { // read: pagination.current_page, pagination.last_page
				return
			}
		}
	}
}

func main() {
	for p, err := range pages("https://h") {
		if err != nil {
			panic(err)
		}
		println(p.ID, p.Sk) // read: passports[].passport_id, passports[].skills_score
	}
}
