module parcelpool.dev/trust

go 1.22

require (
	github.com/go-chi/chi/v5 v5.1.0
	github.com/stretchr/testify v1.9.0
)
