package passport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

var ErrNotFound = errors.New("passport not found")

type API struct {
	Root string
	Key  string
	HTTP *http.Client
}

func (a *API) getJSON(ctx context.Context, dst any, query url.Values, segments ...string) error {
	u, err := url.Parse(a.Root)
	if err != nil {
		return err
	}
	u = u.JoinPath(append([]string{"api", "v1"}, segments...)...)
	u.RawQuery = query.Encode()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	if a.Key != "" {
		req.Header.Set("X-API-KEY", a.Key)
	}
	res, err := a.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case res.StatusCode >= 300:
		return fmt.Errorf("passport api: %s", res.Status)
	}
	return json.NewDecoder(res.Body).Decode(dst)
}

func (a *API) Get(ctx context.Context, id string) (*Passport, error) {
	var out struct {
		Passport *Passport `json:"passport"`
	}
	if err := a.getJSON(ctx, &out, nil, "passports", id); err != nil {
		return nil, err
	}
	if out.Passport == nil {
		return nil, ErrNotFound
	}
	return out.Passport, nil
}

func (a *API) Search(ctx context.Context, keyword string, page int) ([]Passport, int, error) {
	var out struct {
		Passports  []Passport `json:"passports"`
		Pagination struct {
			Last  int `json:"last_page"`
			Total int `json:"total"`
		} `json:"pagination"`
	}
	q := url.Values{"keyword": {keyword}, "page": {strconv.Itoa(page)}}
	if err := a.getJSON(ctx, &out, q, "passports"); err != nil {
		return nil, 0, err
	}
	return out.Passports, out.Pagination.Last, nil
}

// Credentials are decoration, the page lives without them.
func (a *API) Credentials(ctx context.Context, id int64) []Credential {
	var out struct {
		Items []Credential `json:"passport_credentials"`
	}
	q := url.Values{"passport_id": {strconv.FormatInt(id, 10)}}
	if err := a.getJSON(ctx, &out, q, "passport_credentials"); err != nil {
		return nil
	}
	return out.Items
}
