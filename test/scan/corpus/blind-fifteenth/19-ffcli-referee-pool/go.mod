module sr.ht/~kvist/refs

go 1.23

require (
	github.com/go-playground/validator/v10 v10.22.1
	github.com/peterbourgon/ff/v3 v3.4.0
	golang.org/x/time v0.6.0
)
