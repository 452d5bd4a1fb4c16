package main

import (
	"cmp"
	"log/slog"
	"net/http"
	"os"
	"time"
)

func main() {
	logger := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	s := &server{
		log:     logger,
		talent:  newTalent(cmp.Or(os.Getenv("TALENT_API"), "https://api.talentprotocol.com"), os.Getenv("TALENT_API_KEY")),
		weather: &weather{http: &http.Client{Timeout: 5 * time.Second}},
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /observers/{wallet}", s.observerPage)
	mux.HandleFunc("GET /api/observers/{wallet}/quota", s.quota)
	mux.HandleFunc("GET /api/observers", s.directory)
	mux.HandleFunc("GET /api/tonight", s.tonight)

	srv := &http.Server{Addr: cmp.Or(os.Getenv("ADDR"), ":8085"), Handler: mux, ReadHeaderTimeout: 3 * time.Second}
	logger.Info("listening", "addr", srv.Addr)
	if err := srv.ListenAndServe(); err != nil {
		logger.Error("stopped", "err", err)
		os.Exit(1)
	}
}
