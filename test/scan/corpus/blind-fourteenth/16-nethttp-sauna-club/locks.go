package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

type lockAPI struct {
	url, token string
}

func (l *lockAPI) Create(ctx context.Context, name string) (string, error) {
	body := strings.NewReader(fmt.Sprintf(`{"name":%q,"hours":24}`, name))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/v2/codes", body)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+l.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var out struct {
		Code string `json:"code"`
	}
	err = json.NewDecoder(res.Body).Decode(&out)
	return out.Code, err
}
