module github.com/acme/passport-cli

go 1.22

require github.com/go-playground/validator/v10 v10.22.0
