package main

import (
	"context"
	"strconv"

	"github.com/google/go-github/v62/github"
)

type contributor struct {
	DisplayName   string
	Location      string
	FollowerCount string
	Score         float64
}

func search(ctx context.Context, gh *github.Client, query string) ([]contributor, error) {
	result, _, err := gh.Search.Users(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	var out []contributor
	for _, u := range result.Users {
		full, _, err := gh.Users.Get(ctx, u.GetLogin())
		if err != nil {
			continue
		}
		out = append(out, contributor{
			DisplayName:   full.GetName(),
			Location:      full.GetLocation(),
			FollowerCount: strconv.Itoa(full.GetFollowers()),
			Score:         float64(full.GetPublicRepos()),
		})
	}
	return out, nil
}
