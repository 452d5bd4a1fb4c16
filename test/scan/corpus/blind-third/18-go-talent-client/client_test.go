package talentprotocol

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

const passportJSON = `{"passport":{"passport_id":3,"score":90,"main_wallet":"0xAA",
"passport_profile":{"display_name":"Linus"},"verified_wallets":["0xbb"],"last_calculated_at":"2024-10-01T12:35:50.602Z"}}`

func server(t *testing.T, status int, body string) *Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return New("key", WithBaseURL(s.URL+"/api/v1/"))
}

func TestGetPassport(t *testing.T) {
	p, err := server(t, 200, passportJSON).GetPassport(context.Background(), "0xaa")
	if err != nil {
		t.Fatal(err)
	}
	if p.PassportID != 3 || p.Profile.DisplayName != "Linus" {
		t.Errorf("got %+v", p)
	}
	if p.Level() != 3 || !p.Owns("0xBB") {
		t.Errorf("level %d", p.Level())
	}
}

func TestUnauthorized(t *testing.T) {
	c := server(t, 401, `{"error":"unauthorized"}`)
	_, err := c.GetPassport(context.Background(), "1")
	var apiErr *APIError
	if !errors.As(err, &apiErr) || apiErr.Status != 401 {
		t.Fatalf("got %v", err)
	}
	if s := c.ScoreOrZero(context.Background(), "1"); s != 0 {
		t.Errorf("score %d", s)
	}
}
