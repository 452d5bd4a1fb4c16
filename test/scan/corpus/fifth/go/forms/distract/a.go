package a

import (
	"encoding/json"
	"net/http"
	"os"
)

type Passport struct {
	Number string `json:"number"`
	Score  int    `json:"score"`
	Name   string `json:"name"`
}
type Book struct {
	Passports []Passport `json:"passports"`
	Total     int        `json:"total"`
}

func fromFile(path string) (*Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b Book
	return &b, json.NewDecoder(f).Decode(&b)
}

func border() (*Book, error) {
	r, err := http.Get("https://border.example/v3/passports")
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	var b Book
	return &b, json.NewDecoder(r.Body).Decode(&b)
}

func main() {
	b, err := fromFile("x.json")
	if err != nil {
		panic(err)
	}
	for _, p := range b.Passports {
		println(p.Score, p.Name)
	}
	c, _ := border()
	println(c.Passports[0].Score, c.Total)
}
