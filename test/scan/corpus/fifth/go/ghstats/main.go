package main

import (
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/tidwall/gjson"
)

func gh(path string) string {
	resp, err := http.Get("https://api.github.com" + path)
	if err != nil {
		return "{}"
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return string(b)
}

func main() {
	user := gh("/users/" + os.Args[1])
	fmt.Println(gjson.Get(user, "followers").Int(), gjson.Get(user, "bio"), gjson.Get(user, "location"))

	found := gh("/search/users?q=" + os.Args[1])
	for _, s := range gjson.Get(found, "items.#.score").Array() {
		fmt.Println("score", s.Float())
	}
}
