package groupfetch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"
)

type Credential struct {
	Name             string  `json:"name"`
	Category         string  `json:"category"`
	Score            float64 `json:"score"`
	LastCalculatedAt string  `json:"last_calculated_at"`
}

type credentialsBody struct {
	PassportCredentials []Credential `json:"passport_credentials"`
}

func one(ctx context.Context, id int) ([]Credential, error) {
	u := fmt.Sprintf("%s/passport_credentials?passport_id=%d", "https://rep.example.org/api/v1", id)
	req, err := http.NewRequestWithContext(ctx, "GET", u, nil) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body credentialsBody
	err = json.NewDecoder(resp.Body).Decode(&body)
	return body.PassportCredentials, err
}

func Totals(ctx context.Context, ids []int) (map[string]float64, error) {
	all := make([][]Credential, len(ids))
	g, ctx := errgroup.WithContext(ctx)
	for i, id := range ids {
		g.Go(func() (err error) {
			all[i], err = one(ctx, id)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	totals := map[string]float64{}
	for _, list := range all {
		for _, c := range list {
			totals[c.Category] += c.Score // read: passport_credentials[].category, passport_credentials[].score
			fmt.Println(c.Name, c.LastCalculatedAt) // read: passport_credentials[].name, passport_credentials[].last_calculated_at
		}
	}
	return totals, nil
}
