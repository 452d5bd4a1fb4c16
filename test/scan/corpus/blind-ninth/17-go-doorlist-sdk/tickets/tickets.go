package tickets

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type Guest struct {
	Name   string `json:"name"`
	Wallet string `json:"eth_address"`
}

func Guests(ctx context.Context, event string) ([]Guest, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", "https://api.lu.ma/public/v1/event/get-guests?event_api_id="+event, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("x-luma-api-key", os.Getenv("LUMA_KEY"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("tickets: %s", res.Status)
	}
	var body struct {
		Entries []struct {
			Guest Guest `json:"guest"`
		} `json:"entries"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		return nil, err
	}
	guests := make([]Guest, 0, len(body.Entries))
	for _, e := range body.Entries {
		guests = append(guests, e.Guest)
	}
	return guests, nil
}
