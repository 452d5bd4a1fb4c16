module github.com/plugyard/registry

go 1.22

require (
	github.com/go-playground/validator/v10 v10.22.1
	github.com/gorilla/mux v1.8.1
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/kelseyhightower/envconfig v1.4.0
	golang.org/x/sync v0.9.0
)
