package builderrep

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func serve(t *testing.T, status int, body string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	return New("k", WithEndpoint(srv.URL))
}

func TestPassport(t *testing.T) {
	c := serve(t, 200, `{"passport":{"passport_id":12,"score":null,"skills_score":9,"main_wallet":"0xAb"}}`)
	p, err := c.Passport(context.Background(), "0xab")
	if err != nil {
		t.Fatal(err)
	}
	if p.PassportID != 12 || p.SkillsScore != 9 {
		t.Errorf("got %+v", p)
	}
	if p.Points() != 0 || p.Name() != "0xAb" || !p.Owns("0xaB") {
		t.Errorf("helpers: %d %q", p.Points(), p.Name())
	}
}

func TestUnauthorized(t *testing.T) {
	c := serve(t, 401, `{"error":"quota"}`)
	if _, err := c.Passport(context.Background(), "1"); !errors.Is(err, ErrUnauthorized) {
		t.Fatalf("got %v", err)
	}
}
