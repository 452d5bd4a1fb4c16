package rep

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

type transport struct {
	*http.Client
	root string
}

func (t *transport) getJSON(path string, into interface{}) error {
	resp, err := t.Get(t.root + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

type PassportService struct{ transport }
type CredentialService struct{ *transport }

type Client struct {
	Passports   *PassportService
	Credentials CredentialService
}

func New(root string) *Client {
	t := transport{Client: http.DefaultClient, root: root + "/api/v1"}
	return &Client{Passports: &PassportService{t}, Credentials: CredentialService{&t}}
}
