package main

import (
	"fmt"
	"net/url"

	"example.com/fetchpkg/fetch"
)

const (
	repBase  = "https://rep.example.org"
	shopBase = "https://shop.example.com"
)

type creds struct {
	Items []struct {
		Type     string  `json:"type"`
		Value    *string `json:"value"`
		EarnedAt *string `json:"earned_at"`
	} `json:"passport_credentials"`
}

type orders struct {
	Items []struct {
		Type  string  `json:"type"`
		Value *string `json:"value"`
	} `json:"items"`
}

func main() {
	c, err := fetch.JSON[creds](repBase, "/api/v1/passport_credentials", url.Values{"passport_id": {"12"}}) // call: passport-credentials
	if err != nil {
		panic(err)
	}
	for _, item := range c.Items {
		if item.Value != nil && item.EarnedAt != nil { // read: passport_credentials[].value, passport_credentials[].earned_at
			fmt.Println(item.Type, *item.Value) // read: passport_credentials[].type, passport_credentials[].value
		}
	}
	o, err := fetch.JSON[orders](shopBase, "/api/v1/orders", nil)
	if err == nil {
		fmt.Println(o.Items[0].Type, o.Items[0].Value)
	}
}
