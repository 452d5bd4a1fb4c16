package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/tidwall/gjson"
)

func githubFollowers(ctx context.Context, login string) int64 {
	body, err := fetch(ctx, "/github/users/"+login)
	if err != nil {
		return 0
	}
	return gjson.GetBytes(body, "followers").Int() + gjson.GetBytes(body, "score").Int()
}

func main() {
	ctx := context.Background()
	jobs, out := make(chan string), make(chan result)
	go run(ctx, jobs, out)
	go func() {
		defer close(jobs)
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			jobs <- in.Text()
		}
	}()
	for r := range out {
		fmt.Println(r.wallet, r.score, r.reach, len(r.types))
	}
	fmt.Println("maintainer reach", githubFollowers(ctx, "octocat"))
	if _, err := http.Post(os.Getenv("HOOK"), "text/plain", nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
