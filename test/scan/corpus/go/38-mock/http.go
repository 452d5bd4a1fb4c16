package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

type httpReputation struct {
	http    *http.Client
	baseURL string
}

var _ Reputation = (*httpReputation)(nil)

func (h *httpReputation) get(ctx context.Context, format string, args ...any) (io.ReadCloser, error) {
	u := h.baseURL + fmt.Sprintf(format, args...)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	res, err := h.http.Do(req)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

func decode[T any](r io.ReadCloser) (v T, err error) {
	defer r.Close()
	err = json.NewDecoder(r).Decode(&v)
	return
}

func (h *httpReputation) Passport(ctx context.Context, wallet string) (*Passport, error) {
	r, err := h.get(ctx, "/api/v1/passports/%s", wallet) // call: passport
	if err != nil {
		return nil, err
	}
	env, err := decode[struct {
		Passport *Passport `json:"passport"`
	}](r)
	return env.Passport, err
}

func (h *httpReputation) Credentials(ctx context.Context, id string) ([]Credential, error) {
	r, err := h.get(ctx, "/api/v1/passport_credentials?passport_id=%s", id) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	env, err := decode[map[string][]Credential](r)
	if err != nil {
		return nil, err
	}
	return env["passport_credentials"], nil
}
