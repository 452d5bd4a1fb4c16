module github.com/lumen-guild/score-stream

go 1.22

require (
	github.com/redis/go-redis/v9 v9.6.1
	github.com/tidwall/gjson v1.18.0
)
