package talent

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

const passportJSON = `{"passport":{"passport_id":12,"score":61,"main_wallet":"0x1",
"passport_socials":[{"source":"lens","follower_count":"3"}]}}`

func newServer(t *testing.T, status int, body string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	c := New("test")
	c.BaseURL = srv.URL
	return c
}

func TestPassport(t *testing.T) {
	p, err := newServer(t, 200, passportJSON).Passport(context.Background(), "12")
	if err != nil {
		t.Fatal(err)
	}
	if p.Score != 61 || len(p.Socials) != 1 {
		t.Fatalf("got %+v", p)
	}
}

func TestUnauthorized(t *testing.T) {
	_, err := newServer(t, 401, `{"error":"no"}`).Passport(context.Background(), "12")
	var apiErr *APIError
	if !errors.As(err, &apiErr) || apiErr.StatusCode != 401 {
		t.Fatalf("got %v", err)
	}
}
