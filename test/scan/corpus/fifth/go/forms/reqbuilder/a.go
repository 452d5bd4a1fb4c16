package a

import (
	"context"
	"github.com/carlmjohnson/requests"
)

type body struct {
	P struct {
		Score float64 `json:"score"`
		Soc   []struct {
			Src string `json:"source"`
		} `json:"passport_socials"`
	} `json:"passport"`
}

func load(ctx context.Context, base, id string) error {
	var b body
	err := requests.URL(base).Pathf("/api/v1/passports/%s", id).Header("X-API-KEY", "k").ToJSON(&b).Fetch(ctx) // call: passport
	if err != nil {
		return err
	}
	println(b.P.Score) // read: passport.score
	for _, s := range b.P.Soc { // read: passport.passport_socials
		println(s.Src) // read: passport.passport_socials[].source
	}
	return nil
}
