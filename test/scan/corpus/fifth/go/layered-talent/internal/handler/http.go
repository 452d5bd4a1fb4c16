package handler

import (
	"encoding/json"
	"errors"
	"net/http"

	"example.org/layered-talent/internal/repository"
	"example.org/layered-talent/internal/service"
)

type talentView struct {
	DisplayName string  `json:"display_name"`
	Score       float64 `json:"score"`
	Human       bool    `json:"human_checkmark"`
}

func Routes(svc *service.TalentService) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/talents/{wallet}", func(w http.ResponseWriter, r *http.Request) {
		t, err := svc.Lookup(r.Context(), r.PathValue("wallet"))
		if errors.Is(err, repository.ErrNotFound) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		view := talentView{DisplayName: t.Name, Score: t.Score, Human: t.Human}
		if view.Score < 1 {
			view.Score = 0
		}
		_ = json.NewEncoder(w).Encode(view)
	})
	return mux
}
