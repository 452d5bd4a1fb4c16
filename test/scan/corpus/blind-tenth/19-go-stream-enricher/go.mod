module github.com/ledgerlane/enricher

go 1.23

require (
	github.com/caarlos0/env/v11 v11.3.1
	github.com/redis/go-redis/v9 v9.7.0
	golang.org/x/sync v0.10.0
	golang.org/x/time v0.9.0
)
