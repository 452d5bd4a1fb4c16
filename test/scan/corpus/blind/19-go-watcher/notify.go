package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func notify(wallet string, from, to float64) {
	body, _ := json.Marshal(map[string]any{
		"content": fmt.Sprintf("`%s` went from %.0f to %.0f", wallet, from, to),
	})
	res, err := http.Post(os.Getenv("DISCORD_WEBHOOK"), "application/json", bytes.NewReader(body))
	if err != nil {
		log.Println("notify:", err)
		return
	}
	res.Body.Close()
}
