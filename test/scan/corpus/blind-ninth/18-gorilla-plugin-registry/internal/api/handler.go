package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/plugyard/registry/internal/authors"
	"github.com/plugyard/registry/internal/packages"
)

type Handler struct {
	Authors  *authors.Directory
	Packages packages.Npm
}

type authorView struct {
	DisplayName string             `json:"display_name"`
	Score       float64            `json:"score"`
	Bio         string             `json:"bio,omitempty"`
	GitHub      string             `json:"github,omitempty"`
	Avatar      string             `json:"avatar,omitempty"`
	Stale       bool               `json:"stale"`
	Strengths   map[string]float64 `json:"strengths,omitempty"`
}

type pluginView struct {
	Name      string  `json:"name"`
	Downloads int     `json:"downloads"`
	Trust     float64 `json:"trust"`
}

func view(p *authors.Passport) authorView {
	v := authorView{
		DisplayName: p.Profile.Name,
		Score:       p.Score,
		Bio:         p.Profile.Bio,
		Stale:       p.Stale(time.Now()),
	}
	v.GitHub, v.Avatar = p.Link("github")
	return v
}

func (h *Handler) Author(w http.ResponseWriter, r *http.Request) {
	p, err := h.Authors.Lookup(mux.Vars(r)["wallet"])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	v := view(p)
	v.Strengths = make(map[string]float64)
	for _, b := range h.Authors.Badges(p) {
		if b.Max > 0 && b.Type != "active_wallet" {
			v.Strengths[b.Category] += b.Score / b.Max
		}
	}
	reply(w, v)
}

func (h *Handler) Search(w http.ResponseWriter, r *http.Request) {
	found, err := h.Authors.Search(mux.Vars(r)["q"])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	views := make([]authorView, 0, len(found))
	for i := range found {
		if city := r.FormValue("city"); city != "" && found[i].Profile.City != city {
			continue
		}
		views = append(views, view(&found[i]))
	}
	reply(w, views)
}

func (h *Handler) Plugin(w http.ResponseWriter, r *http.Request) {
	pkg, err := h.Packages.Info(mux.Vars(r)["name"])
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	v := pluginView{Name: pkg.Name, Downloads: pkg.Downloads, Trust: pkg.Score.Final}
	if p, err := h.Authors.Lookup(pkg.FundingWallet); err == nil {
		v.Trust += p.Skills / 100
	}
	reply(w, v)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
