package a

import (
	"encoding/json"

	"github.com/valyala/fasthttp"
)

type C struct {
	Items []struct {
		Type string `json:"type"`
		Val  string `json:"value"`
	} `json:"passport_credentials"`
}

func creds(base, id string) (*C, error) {
	req := fasthttp.AcquireRequest()
	resp := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(base + "/api/v1/passport_credentials") // call: passport-credentials
	req.URI().QueryArgs().Add("passport_id", id)
	req.Header.SetMethod(fasthttp.MethodGet)
	if err := fasthttp.Do(req, resp); err != nil {
		return nil, err
	}
	c := new(C)
	if err := json.Unmarshal(resp.Body(), c); err != nil {
		return nil, err
	}
	return c, nil
}

func use() {
	c, err := creds("https://h", "1")
	if err != nil {
		panic(err)
	}
	for _, i := range c.Items {
		println(i.Type, i.Val) // read: passport_credentials[].type, passport_credentials[].value
	}
}
