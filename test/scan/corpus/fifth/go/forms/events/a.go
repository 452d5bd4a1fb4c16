package a

import (
	"encoding/json"
	"net/http"
)

type Event struct {
	Kind  string          `json:"type"`
	Score float64         `json:"score"`
	Data  json.RawMessage `json:"data"`
}

func hook(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, "x", 400)
		return
	}
	println(e.Kind, e.Score)
	c, err := creds(r.URL.Query().Get("id"))
	if err != nil {
		http.Error(w, "x", 502)
		return
	}
	for _, x := range c {
		if x.Kind == e.Kind { // read: passport_credentials[].type
			x.Score += e.Score // read: passport_credentials[].score
		}
	}
	total := sum(c, func(x Cred) float64 { return x.Score }) // read: passport_credentials[].score
	println(total, sum([]Event{e}, func(x Event) float64 { return x.Score }))
}

type Cred struct {
	Kind  string  `json:"type"`
	Score float64 `json:"score"`
}

func sum[T any](xs []T, f func(T) float64) (t float64) {
	for _, x := range xs {
		t += f(x)
	}
	return
}

func creds(id string) (out []Cred, err error) {
	resp, err := http.Get("https://h/api/v1/passport_credentials?passport_id=" + id) // call: passport-credentials
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body map[string]json.RawMessage
	if err = json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return nil, err
	}
	err = json.Unmarshal(body["passport_credentials"], &out)
	return out, err
}
