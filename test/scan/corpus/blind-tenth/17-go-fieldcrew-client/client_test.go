package talentapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/fieldcrew/talentapi"
)

func TestPassport(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-KEY") != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Write([]byte(`{"passport":{"passport_id":9,"score":71,"main_wallet":"0x52908400098527886E0F7030069857D2E4169EE7","passport_profile":{"display_name":"Ama"}}}`))
	}))
	defer srv.Close()

	p, err := talentapi.New(srv.URL, talentapi.WithKey("secret")).Passport(context.Background(), "9")
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != 9 || p.Profile.DisplayName != "Ama" {
		t.Fatalf("unexpected %+v", p)
	}

	_, err = talentapi.New(srv.URL).Passport(context.Background(), "9")
	if !errors.Is(err, talentapi.ErrUnauthorized) {
		t.Fatalf("want unauthorized, got %v", err)
	}
}
