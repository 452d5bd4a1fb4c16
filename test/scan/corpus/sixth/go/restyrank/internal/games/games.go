package games

import (
	"fmt"

	"github.com/go-resty/resty/v2"
)

// Player belongs to the chess site, which is another company's API.
type Player struct {
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	Category string  `json:"category"`
}

type Client struct {
	http *resty.Client
}

func New() *Client {
	return &Client{http: resty.New().SetBaseURL("https://chess.example/api/v1")}
}

func (c *Client) Players(keyword string) ([]Player, error) {
	var out struct {
		Players []Player `json:"players"`
	}
	_, err := c.http.R().SetQueryParam("keyword", keyword).SetResult(&out).Get("/players")
	return out.Players, err
}

func (p Player) String() string {
	return fmt.Sprintf("%s (%s) %.1f", p.Name, p.Category, p.Score)
}
