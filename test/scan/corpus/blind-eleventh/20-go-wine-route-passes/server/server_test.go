package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/moselroute/passes/store"
)

type quiet struct{ done int }

func (q *quiet) Completed(*store.Passport) error { q.done++; return nil }

func TestTwelveStampsCompleteThePass(t *testing.T) {
	st, q := store.New(), &quiet{}
	srv := httptest.NewServer(New(st, q))
	defer srv.Close()

	p := st.Issue(store.Visitor{DisplayName: "Anke", Location: "Traben"})
	for range 12 {
		res, err := http.Post(fmt.Sprintf("%s/api/v1/passports/%d/stamps", srv.URL, p.ID), "application/json",
			strings.NewReader(`{"winery":"Kies","category":"cellar"}`))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}

	res, err := http.Get(fmt.Sprintf("%s/api/v1/passports/%d", srv.URL, p.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body struct{ Passport store.Passport }
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if body.Passport.Score != 36 || q.done != 1 {
		t.Fatalf("score %d, vouchers %d", body.Passport.Score, q.done)
	}
}
