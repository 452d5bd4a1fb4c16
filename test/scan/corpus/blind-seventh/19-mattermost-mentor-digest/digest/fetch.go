package digest

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cast"
)

var client = &http.Client{Timeout: 10 * time.Second}

func (w *Worker) getJSON(u string) (map[string]any, error) {
	req, err := http.NewRequest(http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("x-api-key", w.Key)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return nil, fmt.Errorf("%s: %s", u, resp.Status)
	}
	var m map[string]any
	err = json.NewDecoder(resp.Body).Decode(&m)
	return m, err
}

func (w *Worker) passport(wallet string) map[string]any {
	m, err := w.getJSON(fmt.Sprintf("%s/api/v1/passports/%s", w.API, wallet))
	if err != nil {
		log.Print(err)
		return nil
	}
	p, _ := m["passport"].(map[string]any)
	return p
}

func (w *Worker) credentials(id int) []any {
	q := url.Values{}
	q.Set("passport_id", fmt.Sprint(id))
	m, err := w.getJSON(w.API + "/api/v1/passport_credentials?" + q.Encode())
	if err != nil {
		log.Print(err)
		return []any{}
	}
	list, ok := m["passport_credentials"].([]any)
	if !ok {
		return []any{}
	}
	return list
}

// newcomers are people of the cohort who are not among the mentors yet.
func (w *Worker) newcomers(known map[string]bool) ([]map[string]any, error) {
	var found []map[string]any
	for page := 1; ; page++ {
		m, err := w.getJSON(fmt.Sprintf("%s/api/v1/passports?keyword=%s&page=%d", w.API, url.QueryEscape(w.Keyword), page))
		if err != nil {
			return nil, err
		}
		for _, item := range cast.ToSlice(m["passports"]) {
			p := cast.ToStringMap(item)
			wallet := cast.ToString(p["main_wallet"])
			if wallet == "" || known[wallet] {
				continue
			}
			if cast.ToFloat64(p["score"]) >= 60 && cast.ToBool(p["human_checkmark"]) {
				found = append(found, p)
			}
		}
		pagination := cast.ToStringMap(m["pagination"])
		if cast.ToInt(pagination["current_page"]) >= cast.ToInt(pagination["last_page"]) {
			return found, nil
		}
	}
}
