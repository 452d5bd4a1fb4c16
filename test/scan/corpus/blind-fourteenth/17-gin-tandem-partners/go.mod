module github.com/sprachtreff/tandem-api

go 1.22

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/kelseyhightower/envconfig v1.4.0
	github.com/patrickmn/go-cache v2.1.0+incompatible
	github.com/tidwall/gjson v1.17.3
)
