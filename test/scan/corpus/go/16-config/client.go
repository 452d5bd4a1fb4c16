package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"example.com/config/config"
)

type client struct {
	cfg *config.Config
}

type option func(*http.Request)

func withKey(k string) option { return func(r *http.Request) { r.Header.Set("X-API-KEY", k) } }

func (c *client) fetch(path string, opts ...option) ([]byte, error) {
	req, err := http.NewRequest("GET", c.cfg.Reputation.BaseURL+path, nil)
	if err != nil {
		return nil, err
	}
	for _, o := range opts {
		o(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var buf bytes.Buffer
	if _, err := io.Copy(&buf, resp.Body); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func (c *client) decode(path string, v any) error {
	raw, err := c.fetch(path, withKey(c.cfg.Reputation.Key))
	if err != nil {
		return err
	}
	return json.NewDecoder(bytes.NewReader(raw)).Decode(v)
}

func (c *client) single(id string) (map[string]json.RawMessage, error) {
	raw := map[string]json.RawMessage{}
	err := c.decode(fmt.Sprintf(c.cfg.Paths.Single, id), &raw) // call: passport
	return raw, err
}

func (c *client) credentials(id string) (out creds, err error) {
	err = c.decode(c.cfg.Paths.Credentials+"?passport_id="+id, &out) // call: passport-credentials
	return
}
