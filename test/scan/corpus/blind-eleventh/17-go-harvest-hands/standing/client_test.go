package standing

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func serve(t *testing.T, code int, body string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	c, err := New(srv.URL, WithKey("k"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPerson(t *testing.T) {
	c := serve(t, 200, `{"passport":{"passport_id":9,"score":52,"passport_profile":{"display_name":"Bo"}}}`)
	p, err := c.Person(context.Background(), "9")
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != 9 || p.Points() != 52 {
		t.Fatalf("got %+v", p)
	}
	if p.Profile.DisplayName != "Bo" {
		t.Errorf("name = %q", p.Profile.DisplayName)
	}
}

func TestUnauthorized(t *testing.T) {
	c := serve(t, 401, `{"error":"unauthorized"}`)
	_, err := c.Person(context.Background(), "9")
	var se *StatusError
	if !errors.As(err, &se) || se.Code != 401 {
		t.Fatalf("err = %v", err)
	}
}
