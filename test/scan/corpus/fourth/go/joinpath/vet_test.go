package joinpath

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestVet(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/passports/3" {
			t.Errorf("path %s", r.URL.Path)
		}
		w.Write([]byte(`{"passport":{"main_wallet":"0x3","skills_score":7}}`))
	}))
	defer srv.Close()
	root = srv.URL + "/api/v1"
	me := applicant{MainWallet: "0X3", SkillsScore: 2}
	if !Vet(me, "3") || me.SkillsScore != 2 {
		t.Fatal("expected a pass")
	}
}
