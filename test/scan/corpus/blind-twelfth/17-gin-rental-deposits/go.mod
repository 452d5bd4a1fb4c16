module github.com/keyhold/deposits

go 1.23

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/go-playground/validator/v10 v10.22.0
	github.com/kelseyhightower/envconfig v1.4.0
)
