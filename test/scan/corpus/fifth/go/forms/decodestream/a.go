package a

import (
	"encoding/json"
	"net/http"
)

type C struct {
	Name string `json:"name"`
	Max  float64 `json:"max_score"`
}

func main() {
	resp, err := http.Get("https://h/api/v1/passport_credentials?passport_id=1") // call: passport-credentials
	if err != nil {
		panic(err)
	}
	dec := json.NewDecoder(resp.Body)
	for {
		t, err := dec.Token()
		if err != nil {
			panic(err)
		}
		if t == "passport_credentials" {
			break
		}
	}
	dec.Token()
	for dec.More() {
		var c C
		if err := dec.Decode(&c); err != nil {
			panic(err)
		}
		println(c.Name, c.Max) // read: passport_credentials[].name, passport_credentials[].max_score
	}
}
