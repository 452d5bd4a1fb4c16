module bountyboard

go 1.22

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/hashicorp/golang-lru/v2 v2.0.7
	golang.org/x/sync v0.8.0
)
