module github.com/multisig-tools/quorumcheck

go 1.22

require (
	github.com/fatih/color v1.17.0
	github.com/urfave/cli/v2 v2.27.4
)
