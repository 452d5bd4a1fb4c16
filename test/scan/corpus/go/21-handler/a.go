package main

import (
	"encoding/json"
	"html/template"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
)

type server struct {
	upstream string
	http     *http.Client
	page     *template.Template
}

type holder struct {
	Name  string  `json:"display_name"`
	About string  `json:"bio"`
}

type v1Passport struct {
	Holder holder  `json:"passport_profile"`
	Score  float64 `json:"score"`
}

type view struct {
	Title string
	Score float64
}

func (s *server) passport(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, s.upstream+"/api/v1/passports/"+id, http.NoBody) // call: passport
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	req.Header.Set("X-API-KEY", os.Getenv("KEY"))
	res, err := s.http.Do(req)
	if err != nil {
		http.Error(w, "upstream", http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	var body map[string]v1Passport
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		http.Error(w, "upstream", http.StatusBadGateway)
		return
	}
	p := body["passport"]
	v := view{Title: p.Holder.Name, Score: p.Score} // read: passport.passport_profile.display_name, passport.score
	_ = s.page.Execute(w, v)
	json.NewEncoder(w).Encode(gin.H{"about": p.Holder.About, "score": v.Score}) // read: passport.passport_profile.bio
}

func main() {
	s := &server{upstream: os.Getenv("UP"), http: http.DefaultClient}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /holders/{id}", s.passport)
	http.ListenAndServe(":80", mux)
}
