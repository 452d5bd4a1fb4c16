package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"text/template"
)

type Result[T any] struct {
	Value T
	Err   error
}

func (r Result[T]) Or(def T) T {
	if r.Err != nil {
		return def
	}
	return r.Value
}

func fetchAll[T any](urls []string) []Result[T] {
	out := make([]Result[T], len(urls))
	done := make(chan struct{})
	for i, u := range urls {
		go func(i int, u string) {
			defer func() { done <- struct{}{} }()
			resp, err := http.Get(u)
			if err != nil {
				out[i] = Result[T]{Err: err}
				return
			}
			defer resp.Body.Close()
			var v T
			err = json.NewDecoder(resp.Body).Decode(&v)
			out[i] = Result[T]{v, err}
		}(i, u)
	}
	for range urls {
		<-done
	}
	return out
}

type envelope struct {
	Passport struct {
		ActivityScore float64 `json:"activity_score"`
		PassportProfile struct {
			DisplayName string `json:"display_name"`
		} `json:"passport_profile"`
	} `json:"passport"`
}

func urls(ids []string) []string {
	var out []string
	for _, id := range ids {
		out = append(out, strings.ReplaceAll("https://rep.example.org/api/v1/passports/:id", ":id", id))
	}
	return out
}

var tmpl = template.Must(template.New("x").Parse(`{{.}}`))

func main() {
	for _, r := range fetchAll[envelope](urls(os.Args[1:])) { // call: passport
		if r.Err != nil {
			slog.Error("fetch", "err", r.Err)
			os.Exit(1)
		}
		fmt.Println(r.Value.Passport.ActivityScore) // read: passport.activity_score
		e := r.Or(envelope{})
		name := strings.ToUpper(e.Passport.PassportProfile.DisplayName) // read: passport.passport_profile.display_name
		_ = tmpl.Execute(os.Stdout, name)
	}
}
