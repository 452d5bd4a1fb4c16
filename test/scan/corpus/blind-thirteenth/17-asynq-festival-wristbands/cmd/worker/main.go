package main

import (
	"context"
	"log"
	"os"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgxpool"

	"gitlab.com/nordlys/wristbands/crew"
	"gitlab.com/nordlys/wristbands/tasks"
)

func main() {
	redis := asynq.RedisClientOpt{Addr: os.Getenv("REDIS_ADDR")}
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()

	queue := asynq.NewClient(redis)
	defer queue.Close()

	p := &tasks.Processor{DB: pool, Queue: queue, Crew: crew.NewFromEnv()}
	mux := asynq.NewServeMux()
	mux.HandleFunc(tasks.TypeLookup, p.Lookup)
	mux.HandleFunc(tasks.TypeEncode, p.Encode)

	srv := asynq.NewServer(redis, asynq.Config{Concurrency: 4, Queues: map[string]int{"default": 3, "printer": 1}})
	if err := srv.Run(mux); err != nil {
		log.Fatal(err)
	}
}
