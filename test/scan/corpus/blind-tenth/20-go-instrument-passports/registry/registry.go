package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/philharmonie/instrument-passports/passport"
)

// Client asks the customs registry for the state of a permit.
type Client struct {
	BaseURL string
	Key     string
}

type Permit struct {
	Number string  `json:"number"`
	Status string  `json:"status"`
	Score  float64 `json:"risk_score"`
}

func (c Client) Permit(ctx context.Context, p passport.Passport) (*Permit, error) {
	address := fmt.Sprintf("%s/v2/permits/%s", c.BaseURL, url.PathEscape(p.PassportID))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", c.Key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("registry: %s", res.Status)
	}
	var body struct {
		Permit Permit `json:"permit"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		return nil, err
	}
	return &body.Permit, nil
}
