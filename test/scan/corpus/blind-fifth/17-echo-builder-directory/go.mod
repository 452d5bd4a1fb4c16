module github.com/onchain-guild/directory

go 1.22

require (
	github.com/labstack/echo/v4 v4.12.0
	github.com/patrickmn/go-cache v2.1.0+incompatible
)
