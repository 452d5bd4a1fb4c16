package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestShow(t *testing.T) {
	a := &app{store: newStore()}
	a.store.put(Passport{PassportID: "A-17", DisplayName: "Mila", Score: 40})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/passports/{id}", a.show)
	srv := httptest.NewServer(mux)
	defer srv.Close()

	res, err := http.Get(srv.URL + "/api/v1/passports/A-17")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body struct {
		Passport Passport `json:"passport"`
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if body.Passport.Score != 40 || body.Passport.DisplayName != "Mila" {
		t.Errorf("got %+v", body.Passport)
	}
}
