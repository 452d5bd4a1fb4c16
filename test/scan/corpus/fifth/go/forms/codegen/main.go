package main

import (
	"context"
	"fmt"

	"example.com/m/client"
)

func main() {
	c := &client.ClientWithResponses{Client: &client.Client{Server: "https://h"}}
	r, err := c.GetPassportWithResponse(context.Background(), "1")
	if err != nil {
		panic(err)
	}
	if r.JSON200 == nil || r.JSON200.Passport == nil {
		panic(r.HTTPResponse.Status)
	}
	p := r.JSON200.Passport
	fmt.Println(*p.Score, *p.Profile.Bio) // read: passport.score, passport.passport_profile.bio
}
