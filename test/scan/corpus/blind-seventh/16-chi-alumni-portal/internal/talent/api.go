package talent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

var ErrNotFound = errors.New("talent: no such passport")

type API struct {
	Host string
	Key  string
	HTTP *http.Client
}

func (a *API) load(ctx context.Context, path string, q url.Values, into any) error {
	u := a.Host + path
	if len(q) > 0 {
		u += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", a.Key)

	res, err := a.HTTP.Do(req)
	if err != nil {
		return fmt.Errorf("talent: %w", err)
	}
	defer res.Body.Close()

	switch {
	case res.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("talent: unexpected status %s", res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (a *API) Passport(ctx context.Context, id string) (*Passport, error) {
	var out struct {
		Passport *Passport `json:"passport"`
	}
	if err := a.load(ctx, "/api/v1/passports/"+url.PathEscape(id), nil, &out); err != nil {
		return nil, err
	}
	if out.Passport == nil {
		return nil, ErrNotFound
	}
	return out.Passport, nil
}

func (a *API) Search(ctx context.Context, keyword string, page int) ([]Passport, Page, error) {
	var out struct {
		Passports  []Passport `json:"passports"`
		Pagination Page       `json:"pagination"`
	}
	q := url.Values{"page": {strconv.Itoa(page)}}
	if keyword != "" {
		q.Set("keyword", keyword)
	}
	err := a.load(ctx, "/api/v1/passports", q, &out)
	return out.Passports, out.Pagination, err
}

func (a *API) Credentials(ctx context.Context, id int) ([]Credential, error) {
	var out struct {
		Items []Credential `json:"passport_credentials"`
	}
	err := a.load(ctx, "/api/v1/passport_credentials", url.Values{"passport_id": {strconv.Itoa(id)}}, &out)
	return out.Items, err
}
