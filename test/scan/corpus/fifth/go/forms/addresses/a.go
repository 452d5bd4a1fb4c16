package a

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
)

func one(base, id string) (float64, error) {
	u, err := url.Parse(base)
	if err != nil {
		return 0, err
	}
	u.Path = path.Join(u.Path, "api/v1/passports", id)
	req, err := retryablehttp.NewRequest("GET", u.String(), nil) // call: passport
	if err != nil {
		return 0, err
	}
	res, err := retryablehttp.NewClient().Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	body, err := decode[map[string]map[string]any](res)
	if err != nil {
		return 0, err
	}
	if s, ok := body["passport"]["score"].(float64); ok { // read: passport.score
		return s, nil
	}
	return 0, fmt.Errorf("no score")
}

func decode[T any](r *http.Response) (T, error) {
	var t T
	return t, json.NewDecoder(r.Body).Decode(&t)
}

func two(base string) {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s/api/v1/passports", base)
	sb.WriteString("?keyword=x")
	res, err := http.Get(sb.String()) // call: passport-list
	if err != nil {
		panic(err)
	}
	rows, err := decode[struct {
		Passports []map[string]any `json:"passports"`
	}](res)
	if err != nil {
		panic(err)
	}
	for _, r := range rows.Passports {
		println(r["main_wallet"].(string)) // read: passports[].main_wallet
	}
}
