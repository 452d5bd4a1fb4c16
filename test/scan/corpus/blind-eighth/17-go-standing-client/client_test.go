package standing

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func serve(t *testing.T, status int, body string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(srv.Close)
	return New(WithBaseURL(srv.URL), WithKey("test"))
}

func TestPassport(t *testing.T) {
	c := serve(t, 200, `{"passport":{"passport_id":3,"score":12,"passport_profile":{"display_name":"Ada"},
		"passport_socials":[{"source":"lens","follower_count":"40"}]}}`)
	p, err := c.Passport(context.Background(), "3")
	if err != nil {
		t.Fatal(err)
	}
	if *p.Score != 12 || p.Profile.DisplayName != "Ada" {
		t.Errorf("got %+v", p)
	}
	if n := p.Socials[0].Followers(); n != 40 {
		t.Errorf("followers %d", n)
	}
}

func TestPassportWithoutScore(t *testing.T) {
	c := serve(t, 200, `{"passport":{"passport_id":3,"passport_profile":{}}}`)
	if _, err := c.Passport(context.Background(), "3"); err == nil {
		t.Error("a record without a score must be refused")
	}
}

func TestQuota(t *testing.T) {
	if _, err := serve(t, 401, `{}`).List(context.Background(), "", 1); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("got %v", err)
	}
}
