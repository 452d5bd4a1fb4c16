package voucher

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/moselroute/passes/store"
)

// Desk orders the free bottle from the tourist board.
type Desk struct {
	BaseURL string
	APIKey  string
}

func (d Desk) Completed(p *store.Passport) error {
	body, err := json.Marshal(map[string]any{
		"reference": fmt.Sprintf("pass-%d", p.ID),
		"guest":     p.Profile.DisplayName,
		"score":     p.Score,
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, d.BaseURL+"/v2/vouchers", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", d.APIKey)
	res, err := (&http.Client{Timeout: 5 * time.Second}).Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("voucher desk: %s", res.Status)
	}
	return nil
}
