package sling

import "github.com/dghubble/sling"

type params struct {
	PassportID string `url:"passport_id"`
}

type result struct {
	Credentials []credential `json:"passport_credentials"`
}

type credential struct {
	Max  float64 `json:"max_score"`
	Name string  `json:"name"`
}

func Best(id string) (string, error) {
	base := sling.New().Base("https://api.example.com/api/v1/")
	out := new(result)
	_, err := base.New().Get("passport_credentials").QueryStruct(&params{PassportID: id}).ReceiveSuccess(out) // call: passport-credentials
	if err != nil {
		return "", err
	}
	best := credential{}
	for _, c := range out.Credentials {
		if c.Max > best.Max { // read: passport_credentials[].max_score
			best = c
		}
	}
	return best.Name, nil // read: passport_credentials[].name
}
