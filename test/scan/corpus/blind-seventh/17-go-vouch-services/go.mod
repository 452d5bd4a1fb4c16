module github.com/oriolfm/vouch

go 1.23

require (
	github.com/go-playground/validator/v10 v10.22.1
	github.com/google/go-querystring v1.1.0
)
