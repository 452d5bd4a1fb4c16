package talent

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

const passportJSON = `{"passport":{"passport_id":9,"score":77,"human_checkmark":true,
"passport_profile":{"display_name":"Edsger","tags":["go"]},"verified_wallets":["0x9"]}}`

func TestPassport(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/passports/0x9" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Write([]byte(passportJSON))
	}))
	defer srv.Close()
	c := &Client{BaseURL: srv.URL}

	p, err := c.Passport(context.Background(), "0x9")
	if err != nil {
		t.Fatal(err)
	}
	if p.PassportID != 9 || p.Score != 77 {
		t.Errorf("got %+v", p)
	}
	if got := p.PassportProfile.Tags; len(got) != 1 {
		t.Errorf("tags: %v", got)
	}

	var apiErr *Error
	if _, err := c.Passport(context.Background(), "0x0"); !errors.As(err, &apiErr) || apiErr.Status != 404 {
		t.Errorf("want a 404, got %v", err)
	}
}
