package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

type Client struct {
	base, key string
	limit     *rate.Limiter
}

func New(base, key string) *Client {
	return &Client{base: base, key: key, limit: rate.NewLimiter(rate.Every(400*time.Millisecond), 5)}
}

type Record = map[string]any

// fetch retries temporary failures and gives the decoded body.
func (c *Client) fetch(ctx context.Context, url string) (Record, error) {
	var last error
	for try := 0; try < 3; try++ {
		if err := c.limit.Wait(ctx); err != nil {
			return nil, err
		}
		req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
		req.Header.Set("X-API-KEY", c.key)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			last = err
			continue
		}
		raw, err := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode >= 500 {
			last = fmt.Errorf("%s: %s", url, res.Status)
			time.Sleep(time.Duration(try+1) * time.Second)
			continue
		}
		if res.StatusCode != 200 || err != nil {
			return nil, fmt.Errorf("%s: %s", url, res.Status)
		}
		var body Record
		if err := json.Unmarshal(raw, &body); err != nil {
			return nil, err
		}
		return body, nil
	}
	return nil, last
}

// Top walks the pages of the list until it has seen n passports.
func (c *Client) Top(ctx context.Context, n int) ([]Record, error) {
	var all []Record
	for page := 1; len(all) < n; page++ {
		body, err := c.fetch(ctx, c.base+"/api/v1/passports?page="+strconv.Itoa(page))
		if err != nil {
			return nil, fmt.Errorf("page %d: %w", page, err)
		}
		items, _ := body["passports"].([]any)
		for _, it := range items {
			all = append(all, it.(Record))
		}
		pagination, ok := body["pagination"].(Record)
		if !ok || float64(page) >= pagination["last_page"].(float64) {
			break
		}
	}
	return all, nil
}

func (c *Client) Passport(ctx context.Context, wallet string) (Record, error) {
	body, err := c.fetch(ctx, fmt.Sprintf("%s/api/v1/passports/%s", c.base, wallet))
	if err != nil {
		return nil, err
	}
	p, ok := body["passport"].(Record)
	if !ok {
		return nil, fmt.Errorf("no passport in the answer for %s", wallet)
	}
	return p, nil
}
