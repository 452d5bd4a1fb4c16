module github.com/bikekitchen/volunteers

go 1.22

require (
	github.com/go-resty/resty/v2 v2.13.1
	github.com/joho/godotenv v1.5.1
	github.com/labstack/echo/v4 v4.12.0
)
