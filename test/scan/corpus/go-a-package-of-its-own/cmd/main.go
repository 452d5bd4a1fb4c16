package main

import (
	"fmt"
	"os"

	"example.com/shop/reputation"
)

func main() {
	who, err := reputation.Load(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(who.Verified, who.Connected) // read: passport.human_checkmark, passport.connections_count
}
