module github.com/acme/profile-api

go 1.22

require github.com/go-chi/chi/v5 v5.1.0
