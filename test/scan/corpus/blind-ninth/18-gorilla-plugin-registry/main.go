package main

import (
	"log"
	"net/http"
	"time"

	"github.com/gorilla/mux"
	"github.com/kelseyhightower/envconfig"

	"github.com/plugyard/registry/internal/api"
	"github.com/plugyard/registry/internal/authors"
	"github.com/plugyard/registry/internal/packages"
)

type config struct {
	Listen     string        `default:":9000"`
	AuthorsURL string        `split_words:"true" default:"https://api.talentprotocol.com/api/v1"`
	AuthorsKey string        `split_words:"true"`
	CacheTTL   time.Duration `split_words:"true" default:"20m"`
}

func main() {
	var cfg config
	envconfig.MustProcess("registry", &cfg)

	h := &api.Handler{
		Authors:  authors.NewDirectory(cfg.AuthorsURL, cfg.AuthorsKey, cfg.CacheTTL),
		Packages: packages.Npm{},
	}
	r := mux.NewRouter()
	v := r.PathPrefix("/api/v1").Subrouter()
	v.HandleFunc("/plugins/{name}", h.Plugin).Methods(http.MethodGet)
	v.HandleFunc("/authors", h.Search).Queries("q", "{q}")
	v.HandleFunc("/authors/{wallet}", h.Author).Methods(http.MethodGet)
	log.Fatal(http.ListenAndServe(cfg.Listen, r))
}
