module gitlab.com/nordlys/wristbands

go 1.22

require (
	github.com/go-playground/validator/v10 v10.22.1
	github.com/hibiken/asynq v0.24.1
	github.com/jackc/pgx/v5 v5.7.1
)
