package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

type Path string

const (
	List        Path = "/api/v1/passports"
	Credentials Path = "/api/v1/passport_credentials"
)

func (p Path) On(base string) string { return strings.TrimRight(base, "/") + string(p) }

type Kind int

const (
	KindOne Kind = iota
	KindOrder
)

var templates = map[Kind]string{
	KindOne:   "/api/v1/passports/{id}",
	KindOrder: "/api/v1/orders/{id}",
}

type body struct {
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}

func read(u string, into any) error {
	resp, err := http.Get(u)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(into)
}

func main() {
	base := os.Getenv("BASE")
	var b body
	if err := read(List.On(base), &b); err != nil { // call: passport-list
		panic(err)
	}
	fmt.Println(b.Pagination.Total) // read: pagination.total
	var one map[string]map[string]any
	if err := read(base+strings.NewReplacer("{id}", os.Args[1]).Replace(templates[KindOne]), &one); err != nil { // call: passport
		panic(err)
	}
	fmt.Println(one["passport"]["bio"], one["passport"]["skills_score"]) // read: passport.skills_score
	var order map[string]map[string]any
	if err := read(base+strings.Replace(templates[KindOrder], "{id}", "3", 1), &order); err != nil {
		panic(err)
	}
	fmt.Println(order["passport"]["score"])
	resp, err := http.Get(fmt.Sprint(base, Credentials, "?passport_id=", 4)) // call: passport-credentials
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	var cs struct {
		Items []struct{ Name, Category string } `json:"passport_credentials"`
	}
	if err := dec.Decode(&cs); err != nil {
		panic(err)
	}
	for _, c := range cs.Items {
		fmt.Println(c.Name, c.Category) // read: passport_credentials[].name, passport_credentials[].category
	}
}
