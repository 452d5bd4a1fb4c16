package badgeboard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestEntries(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/passport_credentials", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"passport_credentials":[{"name":"Repo","category":"Skills","score":3,"value":"7"}]}`))
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()

	b := &Board{BaseURL: srv.URL, Client: srv.Client()}
	entries, err := b.entries(context.Background(), "12")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Score != 3 {
		t.Fatalf("got %+v", entries)
	}
}
