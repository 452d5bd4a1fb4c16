module github.com/wallworks/mural-payouts

go 1.22

require (
	github.com/alecthomas/kong v0.9.0
	github.com/hashicorp/go-retryablehttp v0.7.7
	golang.org/x/sync v0.7.0
)
