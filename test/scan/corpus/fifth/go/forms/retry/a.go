package a

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

func withRetry[T any](n int, f func() (T, error)) (T, error) {
	var zero T
	var last error
	for i := 0; i < n; i++ {
		v, err := f()
		if err == nil {
			return v, nil
		}
		last = err
		time.Sleep(time.Second)
	}
	return zero, errors.Join(last)
}

type creds struct {
	Items []struct {
		Val string `json:"value"`
		Name string `json:"name"`
	} `json:"passport_credentials"`
}

func load(id string) (*creds, error) {
	return withRetry(3, func() (*creds, error) {
		resp, err := http.Get("https://h/api/v1/passport_credentials?passport_id=" + id) // call: passport-credentials
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		c := &creds{}
		if err := json.NewDecoder(resp.Body).Decode(c); err != nil {
			return nil, err
		}
		return c, nil
	})
}

func use(id string) {
	c, err := load(id)
	if err != nil {
		panic(err)
	}
	for _, x := range c.Items {
		println(x.Name, x.Val) // read: passport_credentials[].name, passport_credentials[].value
	}
}
