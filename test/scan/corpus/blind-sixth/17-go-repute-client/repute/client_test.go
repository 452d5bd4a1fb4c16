package repute

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func fake(t *testing.T, status int, body string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(srv.Close)
	return New(WithBaseURL(srv.URL), WithRetries(0))
}

func TestPassport(t *testing.T) {
	c := fake(t, 200, `{"passport":{"passport_id":3,"score":null,"passport_socials":[{"source":"lens","follower_count":"12"}]}}`)
	p, err := c.Passport(context.Background(), "3")
	if err != nil {
		t.Fatal(err)
	}
	if p.PassportID != 3 || p.Score.Valid {
		t.Fatalf("%+v", p)
	}
	if got := p.PassportSocials[0].FollowerCount; got != 12 {
		t.Fatal(got)
	}
}

func TestUnauthorized(t *testing.T) {
	if fake(t, 401, `{"error":"no"}`).IsHuman(context.Background(), "0x1") {
		t.Fatal("a refused request is no human")
	}
}
