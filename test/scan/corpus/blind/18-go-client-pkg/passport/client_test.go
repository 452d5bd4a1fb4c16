package passport

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestGet(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/passports/7" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(`{"passport":{"passport_id":7,"score":12,"main_wallet":"0x52908400098527886E0F7030069857D2E4169EE7"}}`))
	}))
	defer srv.Close()

	c := New(srv.URL, "")
	p, err := c.Get(context.Background(), "7")
	if err != nil {
		t.Fatal(err)
	}
	if *p.Score != 12 {
		t.Fatalf("score %v", *p.Score)
	}

	var se *StatusError
	if _, err := c.Get(context.Background(), "8"); !errors.As(err, &se) || se.Code != 404 {
		t.Fatalf("want 404, got %v", err)
	}
}
