package reputation

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestReach(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/passports/12" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"passport":{"passport_id":12,"score":3,"passport_socials":[{"source":"lens","follower_count":"40"}]}}`)
	}))
	defer srv.Close()

	c := &Client{BaseURL: srv.URL, HTTP: srv.Client()}
	got, err := c.Reach(context.Background(), "12", "lens")
	if err != nil || got != 40 {
		t.Fatalf("reach %d, %v", got, err)
	}
	p, _ := c.Passport(context.Background(), "12")
	if p.Score != 3 || p.Socials[0].FollowerCount != "40" {
		t.Errorf("odd passport %+v", p)
	}
	resp, _ := http.Get(srv.URL + "/api/v1/passports/13")
	if resp.StatusCode != http.StatusNotFound {
		t.Error(resp.Status)
	}
}
