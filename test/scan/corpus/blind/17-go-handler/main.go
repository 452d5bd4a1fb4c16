package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	t := &Talent{BaseURL: os.Getenv("TALENT_BASE_URL"), Key: os.Getenv("TALENT_API_KEY"), HTTP: http.DefaultClient}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /badge/{wallet}", badgeHandler(t))
	mux.HandleFunc("GET /profile/{wallet}", profileHandler(t))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })

	addr := ":" + envOr("PORT", "8080")
	log.Printf("listening on %s", addr)
	log.Fatal(http.ListenAndServe(addr, mux))
}

func envOr(key, def string) string {
	if v := os.Getenv(key); v != "" {
		return v
	}
	return def
}
