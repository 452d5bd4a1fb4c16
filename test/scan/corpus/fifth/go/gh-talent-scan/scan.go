package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
)

type ghUser struct {
	Login     string  `json:"login"`
	Score     float64 `json:"score"`
	Type      string  `json:"type"`
	Followers int     `json:"followers"`
	Bio       *string `json:"bio"`
	Location  *string `json:"location"`
}

func getJSON(u string, out any) error {
	resp, err := http.Get(u)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

func search(keyword string) []ghUser {
	var page struct {
		Total int      `json:"total_count"`
		Items []ghUser `json:"items"`
	}
	if err := getJSON("https://api.github.com/search/users?q="+url.QueryEscape(keyword), &page); err != nil {
		return nil
	}
	return page.Items
}

func newScore(account string) map[string]any {
	out := map[string]any{}
	_ = getJSON(os.Getenv("REP_BASE")+"/score?id="+account+"&account_source=github", &out)
	return out
}

func main() {
	for _, u := range search(os.Args[1]) {
		var full ghUser
		if err := getJSON("https://api.github.com/users/"+u.Login, &full); err != nil {
			continue
		}
		body, _ := newScore(u.Login)["score"].(map[string]any)
		points, _ := body["points"].(float64)
		place := "?"
		if full.Location != nil {
			place = *full.Location
		}
		fmt.Println(u.Login, u.Type, u.Score, full.Followers, place, points, body["last_calculated_at"])
	}
}
