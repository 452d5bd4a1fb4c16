package repute

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOfficial(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/passports/12" {
			t.Errorf("path %s", r.URL.Path)
		}
		w.Write([]byte(`{"passport":{"passport_id":12,"score":0,"passport_profile":{"display_name":"Sanna"}}}`))
	}))
	defer srv.Close()
	c, _ := NewClient(srv.URL, "")
	o, err := c.Official(context.Background(), "12")
	if err != nil {
		t.Fatal(err)
	}
	if *o.Total != 0 || o.Profile.Name != "Sanna" {
		t.Errorf("got %+v", o)
	}
}
