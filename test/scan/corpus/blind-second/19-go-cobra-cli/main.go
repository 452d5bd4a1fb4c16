package main

import "github.com/acme/tpcli/cmd"

func main() {
	cmd.Execute()
}
