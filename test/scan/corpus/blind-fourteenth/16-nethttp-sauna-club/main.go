package main

import (
	"log"
	"net/http"
	"os"
	"time"

	"github.com/loyly-ry/saunaclub/talent"
)

func main() {
	client := talent.New(os.Getenv("TALENT_API_URL"), os.Getenv("TALENT_API_KEY"))
	srv := &server{
		talent: client,
		locks:  &lockAPI{url: os.Getenv("LOCK_URL"), token: os.Getenv("LOCK_TOKEN")},
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /members/{wallet}", srv.member)
	mux.HandleFunc("POST /members/{wallet}/key", srv.issueKey)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })

	s := &http.Server{Addr: ":8088", Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(s.ListenAndServe())
}
