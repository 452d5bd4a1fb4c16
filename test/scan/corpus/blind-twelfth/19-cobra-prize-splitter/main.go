package main

import "github.com/0xmarta/prizesplit/cmd"

func main() {
	cmd.Execute()
}
