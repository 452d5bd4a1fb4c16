package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
)

type CredentialDTO struct {
	Type  *string  `json:"type"`
	Score *float64 `json:"score"`
}

func credentialsURL(base string, id string) string {
	v := url.Values{}
	v.Set("passport_id", id)
	return base + "/api/v1/passport_credentials?" + v.Encode()
}

func Credentials(base, id string) ([]CredentialDTO, error) {
	resp, err := http.DefaultClient.Get(credentialsURL(base, id)) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	var raw map[string][]CredentialDTO
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	return raw["passport_credentials"], nil
}

func Total(base, id string) (total float64) {
	list, _ := Credentials(base, id) // hazard: catch-default
	for i := range list {
		if list[i].Score != nil { // read: passport_credentials[].score
			total += *list[i].Score // read: passport_credentials[].score
		}
	}
	return total
}
