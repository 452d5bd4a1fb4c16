package reputation

import (
	"encoding/json"
	"net/http"

	"example.com/shop/config"
)

type Holder struct {
	Verified  bool `json:"human_checkmark"`
	Connected int  `json:"connections_count"`
}

func Load(id string) (*Holder, error) {
	resp, err := http.Get(config.PassportURL(id)) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer := struct {
		Passport *Holder `json:"passport"`
	}{}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, err
	}
	return answer.Passport, nil
}
