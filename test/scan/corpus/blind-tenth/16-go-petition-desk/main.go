package main

import (
	"database/sql"
	"embed"
	"html/template"
	"log"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

//go:embed templates/*.html
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"ago": func(t time.Time) string { return time.Since(t).Round(time.Hour).String() },
}).ParseFS(files, "templates/*.html"))

type server struct {
	store  *store
	talent *talentAPI
}

func main() {
	origin := os.Getenv("TALENT_ORIGIN")
	if origin == "" {
		origin = "https://api.talentprotocol.com"
	}
	base, err := url.Parse(origin)
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("sqlite", "petitions.db")
	if err != nil {
		log.Fatal(err)
	}
	s := &server{
		store:  &store{db: db},
		talent: &talentAPI{base: base, key: os.Getenv("TALENT_API_KEY"), http: &http.Client{Timeout: 5 * time.Second}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /petitions/{id}/sign", s.sign)
	mux.HandleFunc("GET /signers/{wallet}", s.show)
	log.Fatal(http.ListenAndServe(":8080", mux))
}

func weight(p *signer, city string) float64 {
	if p == nil {
		return 0
	}
	w := math.Log1p(p.Score)
	if !p.Human {
		w /= 2
	}
	if strings.Contains(strings.ToLower(p.Profile.City), strings.ToLower(city)) {
		w *= 1.5
	}
	return w
}

func reach(socials []social) (total int) {
	for _, s := range socials {
		n, _ := strconv.Atoi(s.Followers)
		total += n
	}
	return total
}

func (s *server) sign(w http.ResponseWriter, r *http.Request) {
	pet, err := s.store.petition(r.Context(), r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	wallet := r.FormValue("wallet")
	p := s.talent.signer(r.Context(), wallet)
	if err := s.store.sign(r.Context(), pet.ID, wallet, weight(p, pet.City)); err != nil {
		http.Error(w, "could not sign", http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "/signers/"+wallet, http.StatusSeeOther)
}

func (s *server) show(w http.ResponseWriter, r *http.Request) {
	wallet := r.PathValue("wallet")
	p := s.talent.signer(r.Context(), wallet)
	if p == nil {
		http.Error(w, "signer unknown", http.StatusNotFound)
		return
	}
	creds, err := s.talent.credentials(r.Context(), wallet)
	if err != nil {
		creds = nil
	}
	data := map[string]any{"Wallet": wallet, "Signer": p, "Credentials": creds, "Reach": reach(p.Socials)}
	if err := pages.ExecuteTemplate(w, "signer.html", data); err != nil {
		log.Println(err)
	}
}
