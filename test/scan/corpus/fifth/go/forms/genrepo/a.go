package a

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type Repository[T any] interface {
	Find(ctx context.Context, id string) (T, error)
}
type httpRepo[T, E any] struct {
	url    func(string) string
	unwrap func(E) T
}

func (r httpRepo[T, E]) Find(ctx context.Context, id string) (T, error) {
	var env E
	var zero T
	resp, err := http.Get(r.url(id)) // call: passport
	if err != nil {
		return zero, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&env); err != nil {
		return zero, err
	}
	return r.unwrap(env), nil
}

type passport struct {
	Score float64 `json:"score"`
	Id    int     `json:"passport_id"`
}
type single struct {
	Passport *passport `json:"passport"`
}

func NewPassports(base string) Repository[*passport] {
	return httpRepo[*passport, single]{
		url:    func(id string) string { return fmt.Sprintf("%s/api/v1/passports/%s", base, id) },
		unwrap: func(s single) *passport { return s.Passport },
	}
}

type usecase struct{ repo Repository[*passport] }

func (u usecase) Eligible(ctx context.Context, id string) (bool, error) {
	p, err := u.repo.Find(ctx, id)
	if err != nil {
		return false, err
	}
	return p.Score >= 40, nil // read: passport.score
}

func main() {
	u := usecase{NewPassports("https://h")}
	fmt.Println(u.Eligible(context.Background(), "1"))
}
