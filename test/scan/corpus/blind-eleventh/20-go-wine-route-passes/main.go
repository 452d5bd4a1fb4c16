package main

import (
	"log"
	"net/http"
	"os"

	"github.com/moselroute/passes/server"
	"github.com/moselroute/passes/store"
	"github.com/moselroute/passes/voucher"
)

func main() {
	desk := voucher.Desk{BaseURL: os.Getenv("VOUCHER_URL"), APIKey: os.Getenv("VOUCHER_KEY")}
	log.Fatal(http.ListenAndServe(":8070", server.New(store.New(), desk)))
}
