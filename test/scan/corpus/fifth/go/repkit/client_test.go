package repkit

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestDescribe_ApiV1Passports(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/passports/4", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"passport":{"passport_id":4,"score":8,"calculating_score":true,"last_calculated_at":"x"}}`))
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()

	got, err := NewClient(srv.URL, "").Describe(context.Background(), "4")
	if err != nil || got != "pending since x" {
		t.Fatal(got, err)
	}
}
