package main

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"log"
	"net/http"
	"strings"

	"github.com/loyly-ry/saunaclub/talent"
)

//go:embed templates/*.html
var files embed.FS

var tpl = template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join}).ParseFS(files, "templates/*.html"))

const keyScore = 45

type server struct {
	talent *talent.Client
	locks  *lockAPI
}

type memberPage struct {
	Passport    *talent.Passport
	Credentials []talent.Credential
	MayEnter    bool
}

func mayEnter(p *talent.Passport) bool {
	return p.HumanCheckmark && p.Score >= keyScore
}

func (s *server) member(w http.ResponseWriter, r *http.Request) {
	p, err := s.talent.Passport(r.Context(), r.PathValue("wallet"))
	if errors.Is(err, talent.ErrNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		log.Printf("passport: %v", err)
		http.Error(w, "reputation service is down", http.StatusBadGateway)
		return
	}

	creds, err := s.talent.Credentials(r.Context(), p.PassportID)
	if err != nil {
		log.Printf("credentials: %v", err)
		creds = nil
	}

	page := memberPage{Passport: p, Credentials: creds, MayEnter: mayEnter(p)}
	if err := tpl.ExecuteTemplate(w, "member.html", page); err != nil {
		log.Print(err)
	}
}

func (s *server) issueKey(w http.ResponseWriter, r *http.Request) {
	wallet := r.PathValue("wallet")
	p, err := s.talent.Passport(r.Context(), wallet)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if !mayEnter(p) {
		http.Error(w, "not enough reputation", http.StatusForbidden)
		return
	}
	name := p.Profile.DisplayName
	if name == "" {
		name = wallet
	}
	code, err := s.locks.Create(r.Context(), name)
	if err != nil {
		http.Error(w, "lock error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "name": name})
}
