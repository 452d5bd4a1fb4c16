package fetch

import (
	"encoding/json"
	"net/http"
)

type Client struct{ Base string }

func Get[T any](c *Client, path string) (T, error) {
	var v T
	res, err := http.Get(c.Base + path)
	if err != nil {
		return v, err
	}
	defer res.Body.Close()
	err = json.NewDecoder(res.Body).Decode(&v)
	return v, err
}

func One[T any](path string) *T {
	v, err := Get[T](&Client{Base: "https://rep.example.org/api/v1"}, path)
	if err != nil { // hazard: catch-default
		return nil
	}
	return &v
}
