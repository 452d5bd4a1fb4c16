module github.com/acme/tpcli

go 1.22

require (
	github.com/go-resty/resty/v2 v2.15.3
	github.com/spf13/cobra v1.8.1
	github.com/spf13/viper v1.19.0
)
