package packages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Package struct {
	Name          string `json:"name"`
	Downloads     int    `json:"downloads"`
	FundingWallet string `json:"funding_wallet"`
	Score         struct {
		Final float64 `json:"final"`
	} `json:"score"`
}

type Npm struct{}

func (Npm) Info(name string) (*Package, error) {
	res, err := http.Get("https://registry.plugyard.dev/api/v1/packages/" + url.PathEscape(name))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("packages: %s", res.Status)
	}
	var p Package
	return &p, json.NewDecoder(res.Body).Decode(&p)
}
