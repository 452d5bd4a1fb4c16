module gitlab.com/kessel/dossier

go 1.22

require (
	github.com/hashicorp/golang-lru/v2 v2.0.7
	golang.org/x/sync v0.8.0
)
