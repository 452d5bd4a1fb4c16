package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

type Passport struct {
	Score   *float32 `json:"score,omitempty"`
	Profile *PassportProfile `json:"passport_profile,omitempty"`
}
type PassportProfile struct {
	Bio *string `json:"bio,omitempty"`
}
type GetPassportResponse struct {
	Body         []byte
	HTTPResponse *http.Response
	JSON200      *struct {
		Passport *Passport `json:"passport,omitempty"`
	}
}
type Client struct {
	Server string
	Client *http.Client
}
type ClientWithResponses struct{ *Client }

func NewGetPassportRequest(server string, id string) (*http.Request, error) {
	operationPath := strings.TrimSuffix(server, "/") + "/api/v1/passports/" + id
	req, err := http.NewRequest("GET", operationPath, nil) // call: passport
	if err != nil {
		return nil, err
	}
	return req, nil
}

func (c *Client) GetPassport(ctx context.Context, id string) (*http.Response, error) {
	req, err := NewGetPassportRequest(c.Server, id)
	if err != nil {
		return nil, err
	}
	req = req.WithContext(ctx)
	return c.Client.Do(req)
}

func (c *ClientWithResponses) GetPassportWithResponse(ctx context.Context, id string) (*GetPassportResponse, error) {
	rsp, err := c.GetPassport(ctx, id)
	if err != nil {
		return nil, err
	}
	return ParseGetPassportResponse(rsp)
}

func ParseGetPassportResponse(rsp *http.Response) (*GetPassportResponse, error) {
	bodyBytes, err := io.ReadAll(rsp.Body)
	defer func() { _ = rsp.Body.Close() }()
	if err != nil {
		return nil, err
	}
	response := &GetPassportResponse{Body: bodyBytes, HTTPResponse: rsp}
	switch {
	case strings.Contains(rsp.Header.Get("Content-Type"), "json") && rsp.StatusCode == 200:
		var dest struct {
			Passport *Passport `json:"passport,omitempty"`
		}
		if err := json.Unmarshal(bodyBytes, &dest); err != nil {
			return nil, err
		}
		response.JSON200 = &dest
	}
	return response, nil
}
