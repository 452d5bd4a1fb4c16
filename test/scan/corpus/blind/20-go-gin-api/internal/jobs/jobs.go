package jobs

import "strings"

type Job struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Location string `json:"location"`
	Score    int    `json:"score"`
}

var seed = []Job{
	{ID: "1", Title: "Solidity engineer", Location: "Lisbon", Score: 80},
	{ID: "2", Title: "Frontend engineer", Location: "Remote", Score: 40},
}

func Find(id string) (Job, bool) {
	for _, j := range seed {
		if j.ID == id {
			return j, true
		}
	}
	return Job{}, false
}

func (j Job) Fits(location string, score float64) bool {
	place := j.Location == "Remote" || strings.EqualFold(j.Location, location)
	return place && score >= float64(j.Score)
}
