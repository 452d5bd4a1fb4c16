package talent

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func newTestClient(t *testing.T, status int, body string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	return New("k", WithBaseURL(srv.URL))
}

func TestGetPassport(t *testing.T) {
	c := newTestClient(t, 200, `{"passport":{"passport_id":12,"score":71,"verified_wallets":["0xa"],"passport_profile":{"location":"Porto"}}}`)
	p, err := c.GetPassport(context.Background(), "0xa")
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != 12 || *p.Score != 71 {
		t.Errorf("got %+v", p)
	}
	if got := p.Profile.Location; got != "Porto" {
		t.Errorf("location %q", got)
	}
	if !p.OwnsWallet("0xa") {
		t.Error("wallet not found")
	}
}

func TestUnauthorized(t *testing.T) {
	c := newTestClient(t, 401, `{}`)
	_, err := c.GetPassport(context.Background(), "0xa")
	var apiErr *APIError
	if !errors.As(err, &apiErr) || apiErr.StatusCode != 401 {
		t.Fatalf("want 401, got %v", err)
	}
}
