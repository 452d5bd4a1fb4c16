package routes

import "net/http"

func Routes(mux *http.ServeMux) {
	mux.HandleFunc("/api/v1/passports", list)
	mux.HandleFunc("GET /api/v1/passports/{id}", one)
	http.Handle("/api/v1/passport_credentials", credentials{})
}
