package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type upstreamError struct {
	Path   string
	Status int
}

func (e *upstreamError) Error() string { return fmt.Sprintf("%s answered %d", e.Path, e.Status) }

func (d *Desk) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.Upstream+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", d.Key)
	res, err := d.Client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return &upstreamError{path, res.StatusCode}
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (d *Desk) founder(ctx context.Context, id string) (*founder, error) {
	var body struct {
		Passport *founder `json:"passport"`
	}
	if err := d.get(ctx, "/api/v1/passports/"+url.PathEscape(id), &body); err != nil {
		return nil, err
	}
	if body.Passport == nil {
		return nil, &upstreamError{"passport", http.StatusNotFound}
	}
	return body.Passport, nil
}

func (d *Desk) achievements(ctx context.Context, id int) []achievement {
	var body struct {
		Items []achievement `json:"passport_credentials"`
	}
	path := fmt.Sprintf("/api/v1/passport_credentials?passport_id=%d", id)
	if err := d.get(ctx, path, &body); err != nil {
		d.Log.Warn("achievements", "passport", id, "err", err)
		return nil
	}
	return body.Items
}
