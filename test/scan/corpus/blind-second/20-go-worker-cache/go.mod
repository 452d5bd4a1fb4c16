module github.com/acme/score-worker

go 1.22

require (
	github.com/jackc/pgx/v5 v5.7.1
	github.com/redis/go-redis/v9 v9.6.1
)
