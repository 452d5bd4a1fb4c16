module github.com/acme/go-talent

go 1.21

require github.com/go-playground/validator/v10 v10.20.0
