module github.com/buildersdao/gate

go 1.21

require (
	github.com/gofiber/fiber/v2 v2.52.4
	github.com/golang-jwt/jwt/v5 v5.2.1
)
