module github.com/saltmarket/incubator

go 1.23

require (
	github.com/caarlos0/env/v11 v11.2.2
	github.com/go-chi/chi/v5 v5.1.0
)
