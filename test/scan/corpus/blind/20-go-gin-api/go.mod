module github.com/acme/hiring-api

go 1.22

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/go-resty/resty/v2 v2.13.1
)
