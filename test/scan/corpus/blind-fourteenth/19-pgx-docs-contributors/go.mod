module github.com/opendocs-hub/contribsync

go 1.23

require (
	github.com/go-playground/validator/v10 v10.22.0
	github.com/jackc/pgx/v5 v5.6.0
)
