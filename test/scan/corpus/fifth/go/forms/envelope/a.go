package a

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

type endpoint string

const (
	epList  endpoint = "passports"
	epCreds endpoint = "passport_credentials"
)

type API struct {
	root  string
	token string
	rt    http.RoundTripper
}

func FromEnv() *API {
	return &API{root: strings.TrimSuffix(os.Getenv("ROOT"), "/") + "/api/v1", token: os.Getenv("TOKEN"), rt: http.DefaultTransport}
}

func (a *API) raw(ctx context.Context, ep endpoint, q url.Values) (json.RawMessage, error) {
	u := a.root + "/" + string(ep)
	if len(q) > 0 {
		u += "?" + q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	req.Header.Set("X-API-KEY", a.token)
	resp, err := a.rt.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer func() { io.Copy(io.Discard, resp.Body); resp.Body.Close() }()
	if resp.StatusCode >= 400 {
		return nil, errors.New(resp.Status)
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(resp.Body); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

type Credential struct {
	Name  string  `json:"name"`
	Value string  `json:"value"`
	Score float64 `json:"score"`
}

type Credentials []Credential

func (cs Credentials) Total() (sum float64) {
	for _, c := range cs {
		sum += c.Score // read: passport_credentials[].score
	}
	return
}

func (cs Credentials) Named(n string) *Credential {
	for i := range cs {
		if strings.EqualFold(cs[i].Name, n) { // read: passport_credentials[].name
			return &cs[i]
		}
	}
	return nil
}

func (a *API) Credentials(ctx context.Context, id string) (Credentials, error) {
	raw, err := a.raw(ctx, epCreds, url.Values{"passport_id": {id}}) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	var out struct {
		Credentials Credentials `json:"passport_credentials"`
	}
	if err = json.Unmarshal(raw, &out); err != nil {
		return nil, err
	}
	return out.Credentials, nil
}

func main() {
	a := FromEnv()
	cs, err := a.Credentials(context.TODO(), "4")
	if err != nil {
		panic(err)
	}
	fmt.Println(cs.Total())
	if c := cs.Named("x"); c != nil {
		fmt.Println(c.Value) // read: passport_credentials[].value
	}
}
