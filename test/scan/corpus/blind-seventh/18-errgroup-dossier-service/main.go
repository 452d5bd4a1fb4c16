package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	"gitlab.com/kessel/dossier/dossier"
)

func main() {
	svc := dossier.New(
		os.Getenv("TALENT_BASE_URL"), // https://host/api/v1
		os.Getenv("TALENT_API_KEY"),
		os.Getenv("GITHUB_TOKEN"),
	)

	http.HandleFunc("GET /dossier/{wallet}", func(w http.ResponseWriter, r *http.Request) {
		d, err := svc.Build(r.Context(), strings.ToLower(r.PathValue("wallet")))
		if err != nil {
			log.Printf("dossier: %v", err)
			http.Error(w, `{"error":"upstream"}`, http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(d)
	})

	http.HandleFunc("GET /compare", func(w http.ResponseWriter, r *http.Request) {
		wallets := strings.Split(r.URL.Query().Get("wallets"), ",")
		json.NewEncoder(w).Encode(svc.Compare(r.Context(), wallets))
	})

	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
