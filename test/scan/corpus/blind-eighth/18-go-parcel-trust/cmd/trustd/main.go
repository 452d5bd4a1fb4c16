package main

import (
	"log"
	"net/http"
	"os"
	"time"

	"parcelpool.dev/trust/internal/api"
	"parcelpool.dev/trust/internal/talentv1"
	"parcelpool.dev/trust/internal/trust"
)

func main() {
	client := &talentv1.Client{
		Endpoint: os.Getenv("TALENT_ENDPOINT"),
		APIKey:   os.Getenv("TALENT_API_KEY"),
		HTTP:     &http.Client{Timeout: 6 * time.Second},
	}
	svc := trust.NewService(trust.NewCached(client, 15*time.Minute), 40)
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), api.Router(svc)))
}
