package main

import (
	"errors"
	"log"
	"net/http"
)

const minShiftLeadScore = 45

type shift struct {
	ID    int
	Title string
	Score int
}

func (s *server) render(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := s.tmpl.ExecuteTemplate(w, name, data); err != nil {
		log.Println("render:", err)
	}
}

func (s *server) openShifts() []shift {
	rows, err := s.db.Query("select id, title, score from shifts where claimed_by is null")
	if err != nil {
		return nil
	}
	defer rows.Close()
	var out []shift
	for rows.Next() {
		var sh shift
		if rows.Scan(&sh.ID, &sh.Title, &sh.Score) == nil {
			out = append(out, sh)
		}
	}
	return out
}

func (s *server) member(w http.ResponseWriter, r *http.Request) {
	p, err := s.passport(r.Context(), r.PathValue("wallet"))
	if errors.Is(err, errUnknownMember) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, "profile service unavailable", http.StatusBadGateway)
		return
	}
	skills := 0.0
	creds := s.credentials(r.Context(), p.PassportID)
	for _, c := range creds {
		if c.Category == "Skills" {
			skills += c.Score
		}
	}
	s.render(w, "member.html", map[string]any{
		"Passport": p,
		"Creds":    creds,
		"Skills":   skills,
		"CanLead":  canLead(&p),
		"Shifts":   s.openShifts(),
	})
}

func canLead(p *Passport) bool {
	return p.HumanCheckmark && p.Score >= minShiftLeadScore
}

func (s *server) search(w http.ResponseWriter, r *http.Request) {
	list, total, err := s.passports(r.Context(), r.FormValue("q"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	s.render(w, "search.html", struct {
		Results []Passport
		Total   int
	}{list, total})
}

func (s *server) claim(w http.ResponseWriter, r *http.Request) {
	wallet := r.FormValue("wallet")
	p, err := s.passport(r.Context(), wallet)
	if err != nil || !canLead(&p) {
		http.Error(w, "not allowed to lead a shift", http.StatusForbidden)
		return
	}
	_, err = s.db.Exec("update shifts set claimed_by = ?, lead_name = ? where id = ?",
		p.MainWallet, p.PassportProfile.DisplayName, r.PathValue("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "/members/"+wallet, http.StatusSeeOther)
}
