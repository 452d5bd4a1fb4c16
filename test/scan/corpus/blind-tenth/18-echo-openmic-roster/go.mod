module github.com/cellarstage/openmic

go 1.22

require (
	github.com/go-resty/resty/v2 v2.16.2
	github.com/labstack/echo/v4 v4.13.3
	github.com/redis/go-redis/v9 v9.7.0
	golang.org/x/sync v0.10.0
)
