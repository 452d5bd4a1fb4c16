// Package feed reads the passport service without types: its answers change more often than we release.
package feed

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/tidwall/gjson"
)

var (
	root  = os.Getenv("TALENT_API_ROOT") // e.g. https://api.talentprotocol.com/api/v1
	token = os.Getenv("TALENT_API_TOKEN")
	hc    = &http.Client{Timeout: 15 * time.Second}
)

func get(format string, args ...any) (gjson.Result, error) {
	req, err := http.NewRequest(http.MethodGet, root+fmt.Sprintf(format, args...), nil)
	if err != nil {
		return gjson.Result{}, err
	}
	req.Header.Set("X-API-KEY", token)
	resp, err := hc.Do(req)
	if err != nil {
		return gjson.Result{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return gjson.Result{}, err
	}
	return gjson.ParseBytes(b), nil
}

// Page returns one page of the list and whether there is another.
func Page(n int) ([]gjson.Result, bool, error) {
	doc, err := get("/passports?page=%d", n)
	if err != nil {
		return nil, false, err
	}
	more := doc.Get("pagination.current_page").Int() < doc.Get("pagination.last_page").Int()
	return doc.Get("passports").Array(), more, nil
}

// Detail is the single passport, with socials.
func Detail(id int64) (gjson.Result, error) {
	doc, err := get("/passports/%d", id)
	if err != nil {
		return gjson.Result{}, err
	}
	p := doc.Get("passport")
	if !p.Exists() {
		return p, fmt.Errorf("passport %d: %s", id, doc.Get("error").String())
	}
	return p, nil
}

// CredentialTypes returns the types that scored.
func CredentialTypes(id int64) []string {
	doc, err := get("/passport_credentials?passport_id=%d", id)
	if err != nil {
		return nil
	}
	var types []string
	for _, t := range doc.Get("passport_credentials.#(score>0)#.type").Array() {
		types = append(types, t.String())
	}
	return types
}
