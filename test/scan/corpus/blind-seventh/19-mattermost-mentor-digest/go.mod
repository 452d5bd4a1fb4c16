module git.sr.ht/~lumen/mentor-digest

go 1.21

require (
	github.com/robfig/cron/v3 v3.0.1
	github.com/spf13/cast v1.7.0
)
