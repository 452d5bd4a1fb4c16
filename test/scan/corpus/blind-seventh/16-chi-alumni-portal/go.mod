module github.com/northbridge-alumni/portal

go 1.22

require github.com/go-chi/chi/v5 v5.1.0
