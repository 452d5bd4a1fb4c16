package a

import "github.com/imroc/req/v3"

var client = req.C().SetBaseURL("https://x.example")

type out struct {
	Rows []struct {
		Name string `json:"name"`
	} `json:"passport_credentials"`
}

func names(id string) []string {
	var o out
	resp := client.Get("/api/v1/passport_credentials").SetQueryParam("passport_id", id).Do() // call: passport-credentials
	if err := resp.Into(&o); err != nil { // hazard: catch-default
		return nil
	}
	var ns []string
	for _, r := range o.Rows {
		ns = append(ns, r.Name) // read: passport_credentials[].name
	}
	return ns
}
