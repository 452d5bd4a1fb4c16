package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type credential struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	Type  string  `json:"type"`
}

func badges(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	req, _ := http.NewRequest("GET", os.Getenv("API_BASE")+"/api/v1/passport_credentials?passport_id="+id, nil) // call: passport-credentials
	req.Header.Set("X-API-KEY", os.Getenv("API_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var body struct {
		Credentials []credential `json:"passport_credentials"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for _, c := range body.Credentials {
		fmt.Fprintf(w, "%s %.0f\n", c.Name, c.Score) // read: passport_credentials[].name, passport_credentials[].score
	}
}

func main() {
	http.HandleFunc("/badges", badges)
	http.ListenAndServe(":8080", nil)
}
