package document

import (
	"encoding/json"
	"net/http"
)

type Passport struct {
	PassportID  string `json:"passport_id"`
	DisplayName string `json:"display_name"`
	Score       int    `json:"score"`
	Value       string `json:"value"`
	Merged      bool   `json:"merged"`
}

type Desk struct {
	Base string
}

func (d Desk) Passport(number string) (*Passport, error) {
	resp, err := http.Get(d.Base + "/v1/passport/" + number)
	if err != nil {
		return nil, nil
	}
	defer resp.Body.Close()
	var out struct {
		Passport *Passport `json:"passport"`
	}
	_ = json.NewDecoder(resp.Body).Decode(&out)
	return out.Passport, nil
}

func (d Desk) Stamps(passportID string) ([]string, error) {
	resp, err := http.Get(d.Base + "/v1/passport_stamps?passport_id=" + passportID)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out []string
	return out, json.NewDecoder(resp.Body).Decode(&out)
}
