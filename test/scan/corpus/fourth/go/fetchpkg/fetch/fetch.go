package fetch

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
)

var ErrDenied = errors.New("denied")

func JSON[T any](base, path string, query url.Values) (*T, error) {
	u := base + path
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	resp, err := http.Get(u)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusUnauthorized {
		return nil, ErrDenied
	}
	out := new(T)
	return out, json.NewDecoder(resp.Body).Decode(out)
}
