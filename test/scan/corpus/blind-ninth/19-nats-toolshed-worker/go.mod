module gitlab.com/toolshed/vetting-worker

go 1.22

require (
	github.com/jackc/pgx/v5 v5.7.1
	github.com/nats-io/nats.go v1.37.0
)
