// Package talent is a small client of the Talent Passport API.
package talent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-playground/validator/v10"
)

const DefaultBaseURL = "https://api.talentprotocol.com"

type APIError struct {
	StatusCode int
	Path       string
}

func (e *APIError) Error() string { return fmt.Sprintf("talent: %s: status %d", e.Path, e.StatusCode) }

type Client struct {
	BaseURL string
	APIKey  string
	HTTP    *http.Client

	validate *validator.Validate
}

func New(apiKey string) *Client {
	return &Client{BaseURL: DefaultBaseURL, APIKey: apiKey, HTTP: http.DefaultClient, validate: validator.New()}
}

func (c *Client) do(ctx context.Context, path string, query url.Values, out any) error {
	u := strings.TrimRight(c.BaseURL, "/") + "/api/v1" + path
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.APIKey)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return fmt.Errorf("talent: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &APIError{StatusCode: resp.StatusCode, Path: path}
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

// Passport fetches one passport by its id or by a wallet.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var out struct {
		Passport *Passport `json:"passport"`
	}
	if err := c.do(ctx, "/passports/"+url.PathEscape(id), nil, &out); err != nil {
		return nil, err
	}
	if err := c.validate.Struct(out.Passport); err != nil {
		return nil, fmt.Errorf("talent: passport %s: %w", id, err)
	}
	return out.Passport, nil
}

// Credentials fetches the credentials of a passport.
func (c *Client) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	var out struct {
		Items []Credential `json:"passport_credentials" validate:"dive"`
	}
	q := url.Values{"passport_id": {fmt.Sprint(passportID)}}
	if err := c.do(ctx, "/passport_credentials", q, &out); err != nil {
		return nil, err
	}
	if err := c.validate.Struct(out); err != nil {
		return nil, err
	}
	return out.Items, nil
}
