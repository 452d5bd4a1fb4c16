package reputation

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

type Client struct {
	baseURL string
	key     string
	http    *http.Client
}

func New(host, key string) *Client {
	return &Client{baseURL: host + "/api/v1", key: key, http: http.DefaultClient}
}

func (c *Client) get(ctx context.Context, path string, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.baseURL+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var answer struct {
		Passport Passport `json:"passport"`
	}
	if err := c.get(ctx, "/passports/"+id, &answer); err != nil { // call: passport
		return nil, err
	}
	return &answer.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, id string) ([]Credential, error) {
	var answer struct {
		Credentials []Credential `json:"passport_credentials"`
	}
	err := c.get(ctx, "/passport_credentials?passport_id="+id, &answer) // call: passport-credentials
	return answer.Credentials, err
}
