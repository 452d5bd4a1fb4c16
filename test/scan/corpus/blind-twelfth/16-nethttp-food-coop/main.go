package main

import (
	"database/sql"
	"embed"
	"html/template"
	"log"
	"net/http"
	"os"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

//go:embed templates/*.html
var files embed.FS

type server struct {
	db   *sql.DB
	tmpl *template.Template
	http *http.Client
}

func envOr(key, def string) string {
	if v := os.Getenv(key); v != "" {
		return v
	}
	return def
}

func main() {
	db, err := sql.Open("sqlite3", envOr("DB_PATH", "coop.db"))
	if err != nil {
		log.Fatal(err)
	}
	s := &server{
		db:   db,
		tmpl: template.Must(template.ParseFS(files, "templates/*.html")),
		http: &http.Client{Timeout: 6 * time.Second},
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /members/{wallet}", s.member)
	mux.HandleFunc("GET /search", s.search)
	mux.HandleFunc("POST /shifts/{id}/claim", s.claim)

	addr := ":" + envOr("PORT", "8080")
	log.Println("listening on", addr)
	log.Fatal(http.ListenAndServe(addr, mux))
}
