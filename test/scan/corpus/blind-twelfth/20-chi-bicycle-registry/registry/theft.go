package registry

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

const bikeIndex = "https://bikeindex.org/api/v3"

type Bike struct {
	ID       int    `json:"id"`
	Title    string `json:"title"`
	Serial   string `json:"serial"`
	Stolen   bool   `json:"stolen"`
	Location string `json:"stolen_location"`
}

// Stolen asks Bike Index whether a frame number is reported.
func Stolen(ctx context.Context, frame string) (bool, error) {
	u := bikeIndex + "/search?stolenness=stolen&serial=" + url.QueryEscape(frame)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return false, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	var body struct {
		Bikes []Bike `json:"bikes"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		return false, err
	}
	for _, b := range body.Bikes {
		if b.Serial == frame && b.Stolen {
			return true, nil
		}
	}
	return false, nil
}
