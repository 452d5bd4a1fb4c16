package fanout

import (
	"encoding/json"
	"net/http"
	"net/url"
)

func credentialTypes(wallet string) ([]string, error) {
	u, err := url.Parse("https://rep.example.org/api/v1/passport_credentials")
	if err != nil {
		return nil, err
	}
	q := u.Query()
	q.Set("passport_id", wallet)
	u.RawQuery = q.Encode()
	resp, err := http.Get(u.String()) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body struct {
		PassportCredentials []struct {
			ID   string `json:"id"`
			Type string `json:"type"`
		} `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	types := make([]string, 0, len(body.PassportCredentials))
	for _, c := range body.PassportCredentials {
		types = append(types, c.Type+"#"+c.ID) // read: passport_credentials[].type, passport_credentials[].id
	}
	return types, nil
}
