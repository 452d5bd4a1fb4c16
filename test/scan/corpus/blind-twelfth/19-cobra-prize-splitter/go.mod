module github.com/0xmarta/prizesplit

go 1.22

require (
	github.com/spf13/cobra v1.8.1
	github.com/spf13/viper v1.19.0
	golang.org/x/sync v0.7.0
)
