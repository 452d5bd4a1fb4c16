package v2client

import (
	"encoding/json"
	"net/http"
	"net/url"
)

// Old: GET /api/v1/passports/{id}, GET /api/v1/passport_credentials.
type Score struct {
	Score struct {
		Points           int    `json:"points"`
		LastCalculatedAt string `json:"last_calculated_at"`
	} `json:"score"`
}

type Client struct{ base string }

func (c Client) get(path, id string, out any) error {
	q := url.Values{"id": {id}, "account_source": {"wallet"}}
	resp, err := http.Get(c.base + path + "?" + q.Encode())
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

func (c Client) Points(id string) (int, string) {
	var s Score
	if err := c.get("/score", id, &s); err != nil {
		return 0, ""
	}
	return s.Score.Points, s.Score.LastCalculatedAt
}

func (c Client) Search(id string) (n int) {
	var out struct{ Passports []struct{ PassportID int } }
	if c.get("/api/v2/passports", id, &out) == nil {
		n = out.Passports[0].PassportID
	}
	return n
}
