package retry

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	host = "https://api.example.com"
	root = host + "/api/v1"
)

var client = &http.Client{Timeout: 5 * time.Second}

func fetchBytes(url string) ([]byte, error) {
	for attempt := 0; attempt < 3; attempt++ {
		res, err := client.Get(url)
		if err != nil {
			continue
		}
		defer res.Body.Close()
		return io.ReadAll(res.Body)
	}
	return nil, errors.New("gave up")
}

type Credentials struct {
	List []struct {
		Type     string `json:"type"`
		EarnedAt string `json:"earned_at"`
	} `json:"passport_credentials"`
}

func Types(id string) (map[string]string, error) {
	raw, err := fetchBytes(root + "/passport_credentials?passport_id=" + id) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	var all Credentials
	if err = json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	types := make(map[string]string)
	for _, one := range all.List {
		types[one.Type] = one.EarnedAt // read: passport_credentials[].type, passport_credentials[].earned_at
	}
	return types, nil
}
