package main

import (
	"log"
	"net/http"
	"os"
	"time"

	"github.com/acme/profile-api/internal/talent"
	"github.com/acme/profile-api/internal/web"
)

func main() {
	base := os.Getenv("TALENT_API_URL")
	if base == "" {
		base = "https://api.talentprotocol.com"
	}
	h := &web.Handler{Talent: &talent.Client{
		BaseURL: base,
		APIKey:  os.Getenv("TALENT_API_KEY"),
		HTTP:    &http.Client{Timeout: 8 * time.Second},
	}}
	log.Fatal(http.ListenAndServe(":8080", h.Routes()))
}
