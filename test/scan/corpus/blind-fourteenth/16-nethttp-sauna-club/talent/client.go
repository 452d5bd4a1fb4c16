package talent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const defaultURL = "https://api.talentprotocol.com"

var ErrNotFound = errors.New("talent: not found")

type Passport struct {
	PassportID       int       `json:"passport_id"`
	Score            float64   `json:"score"`
	ActivityScore    float64   `json:"activity_score"`
	HumanCheckmark   bool      `json:"human_checkmark"`
	LastCalculatedAt time.Time `json:"last_calculated_at"`
	Profile          Profile   `json:"passport_profile"`
	Socials          []Social  `json:"passport_socials"`
}

type Profile struct {
	Bio         string   `json:"bio"`
	DisplayName string   `json:"display_name"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source     string `json:"source"`
	ProfileURL string `json:"profile_url"`
}

type Credential struct {
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
}

type Client struct {
	base, key string
	http      *http.Client
}

func New(base, key string) *Client {
	if base == "" {
		base = defaultURL
	}
	return &Client{base: base, key: key, http: &http.Client{Timeout: 10 * time.Second}}
}

func (c *Client) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/api/v1"+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", c.key)
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("talent: %s: %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(out)
}

func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var out struct {
		Passport Passport `json:"passport"`
	}
	if err := c.get(ctx, "/passports/"+url.PathEscape(id), &out); err != nil {
		return nil, err
	}
	return &out.Passport, nil
}

func (c *Client) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	var out struct {
		Credentials []Credential `json:"passport_credentials"`
	}
	q := url.Values{"passport_id": {strconv.Itoa(passportID)}}
	err := c.get(ctx, "/passport_credentials?"+q.Encode(), &out)
	return out.Credentials, err
}
