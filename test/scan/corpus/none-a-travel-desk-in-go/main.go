package main

import (
	"fmt"
	"os"
	"strconv"

	"example.org/travel-desk/document"
)

func main() {
	desk := document.Desk{Base: os.Getenv("DESK")}
	for _, number := range os.Args[1:] {
		p, err := desk.Passport(number)
		if err != nil || p == nil || p.Merged {
			fmt.Println(number, "ask an officer")
			continue
		}
		fee, _ := strconv.Atoi(p.Value)
		stamps, _ := desk.Stamps(p.PassportID)
		fmt.Printf("%s\t%s\trisk %d\tfee %d\t%d stamps\n", p.PassportID, p.DisplayName, p.Score, fee, len(stamps))
	}
}
