module github.com/yesand/troupes

go 1.23

require (
	github.com/99designs/gqlgen v0.17.54
	github.com/carlmjohnson/requests v0.24.2
	github.com/hashicorp/golang-lru/v2 v2.0.7
	golang.org/x/sync v0.8.0
)
