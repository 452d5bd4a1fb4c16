module github.com/ostrowski-labs/standing

go 1.23

require (
	github.com/go-playground/validator/v10 v10.22.1
	golang.org/x/time v0.7.0
)
