module github.com/silverhalide/darkroom-desk

go 1.22

require (
	github.com/gofiber/fiber/v2 v2.52.5
	github.com/patrickmn/go-cache v2.1.0+incompatible
	github.com/caarlos0/env/v11 v11.1.0
)
