package talentkit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func serve(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return New(server.URL, WithKey("k"))
}

func TestPassportsFollowsPages(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := r.URL.Query().Get("page")
		fmt.Fprintf(w, `{"passports":[{"passport_id":%s,"score":10,"verified_wallets":[]}],"pagination":{"current_page":%s,"last_page":2}}`, n, n)
	})
	var ids []int
	for p, err := range c.Passports(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		if p.Score != 10 {
			t.Errorf("score %d", p.Score)
		}
		ids = append(ids, p.PassportID)
	}
	if len(ids) != 2 || ids[1] != 2 {
		t.Errorf("ids %v", ids)
	}
}

func TestUnauthorized(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) })
	_, err := c.Credentials(context.Background(), 1)
	var status *StatusError
	if !errors.As(err, &status) || status.Code != 401 {
		t.Fatalf("got %v", err)
	}
}
