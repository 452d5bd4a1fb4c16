package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

var errNoObserver = errors.New("observer not known")

type observer struct {
	ID          int        `json:"passport_id"`
	Score       float64    `json:"score"`
	Skills      float64    `json:"skills_score"`
	Human       bool       `json:"human_checkmark"`
	Calculating bool       `json:"calculating_score"`
	Calculated  *time.Time `json:"last_calculated_at"`
	Profile     profile    `json:"passport_profile"`
	Socials     []social   `json:"passport_socials,omitempty"`
}

type profile struct {
	Name     string   `json:"display_name"`
	Bio      string   `json:"bio"`
	Location string   `json:"location"`
	Tags     []string `json:"tags"`
}

type social struct {
	Source string `json:"source"`
	Handle string `json:"profile_name"`
	URL    string `json:"profile_url"`
}

type credential struct {
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
}

type talent struct {
	base string
	key  string
	http *http.Client
}

func newTalent(base, key string) *talent {
	return &talent{base: base + "/api/v1", key: key, http: &http.Client{Timeout: 8 * time.Second}}
}

func (t *talent) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", t.key)
	res, err := t.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return errNoObserver
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("talent: %s on %s", res.Status, path)
	}
	return json.NewDecoder(res.Body).Decode(out)
}

func (t *talent) observer(ctx context.Context, wallet string) (*observer, error) {
	var body struct {
		Passport observer `json:"passport"`
	}
	if err := t.get(ctx, "/passports/"+url.PathEscape(wallet), &body); err != nil {
		return nil, err
	}
	return &body.Passport, nil
}

func (t *talent) credentials(ctx context.Context, id int) ([]credential, error) {
	var body struct {
		Items []credential `json:"passport_credentials"`
	}
	err := t.get(ctx, fmt.Sprintf("/passport_credentials?passport_id=%d", id), &body)
	return body.Items, err
}

func (t *talent) byName(ctx context.Context, name string) (found []observer, total int, err error) {
	var body struct {
		Passports  []observer `json:"passports"`
		Pagination struct {
			Total int `json:"total"`
		} `json:"pagination"`
	}
	q := url.Values{"keyword": {name}}
	if err = t.get(ctx, "/passports?"+q.Encode(), &body); err != nil {
		return nil, 0, err
	}
	return body.Passports, body.Pagination.Total, nil
}
