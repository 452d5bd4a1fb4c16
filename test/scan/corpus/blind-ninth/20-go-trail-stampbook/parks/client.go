package parks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Credential struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Score int    `json:"score"`
}

type Ranger struct {
	Badge       string       `json:"badge"`
	DisplayName string       `json:"display_name"`
	Credentials []Credential `json:"credentials"`
}

type Client struct {
	base, token string
}

func New(base, token string) *Client {
	return &Client{base: base, token: token}
}

// Ranger asks the parks office who carries a badge.
func (c *Client) Ranger(ctx context.Context, badge string) (*Ranger, error) {
	u := fmt.Sprintf("%s/api/v1/rangers/%s", c.base, url.PathEscape(badge))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", c.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("parks office: %s", res.Status)
	}
	var r Ranger
	return &r, json.NewDecoder(res.Body).Decode(&r)
}
