package arcade

import (
	"github.com/go-resty/resty/v2"
)

type Player struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

func Top() (Player, error) {
	var players []Player
	_, err := resty.New().SetBaseURL("https://arcade.example.com/api/v1").R().SetResult(&players).Get("/players")
	if err != nil || len(players) == 0 {
		return Player{}, err
	}
	best := players[0]
	for _, p := range players[1:] {
		if p.Score/p.MaxScore > best.Score/best.MaxScore {
			best = p
		}
	}
	best.Name += " since " + best.EarnedAt
	return best, nil
}
