package main

import (
	"net/http"
	"os"
	"sort"

	"github.com/acme/hiring-api/internal/jobs"
	"github.com/acme/hiring-api/internal/talent"
	"github.com/gin-gonic/gin"
)

type match struct {
	Name   string   `json:"name"`
	Score  float64  `json:"score"`
	Skills []string `json:"skills"`
	Link   int      `json:"link"`
}

func main() {
	svc := talent.NewService(os.Getenv("TALENT_API_URL"), os.Getenv("TALENT_API_KEY"))
	r := gin.Default()

	r.GET("/jobs/:id/matches", func(c *gin.Context) {
		job, ok := jobs.Find(c.Param("id"))
		if !ok {
			c.JSON(http.StatusNotFound, gin.H{"error": "no such job"})
			return
		}
		people, err := svc.Search(c.Query("q"))
		if err != nil {
			c.JSON(http.StatusBadGateway, gin.H{"error": err.Error()})
			return
		}
		sort.Slice(people, func(i, j int) bool {
			return people[i].SkillsScore > people[j].SkillsScore
		})
		out := []match{}
		for _, p := range people {
			profile := p.PassportProfile
			if !job.Fits(profile.Location, p.Score) {
				continue
			}
			m := match{Name: profile.DisplayName, Score: p.Score, Link: p.PassportID}
			for _, cr := range svc.Credentials(p.PassportID) {
				if cr.Category == "Skills" && cr.Score > 0 {
					m.Skills = append(m.Skills, cr.Name)
				}
			}
			out = append(out, m)
		}
		c.JSON(http.StatusOK, gin.H{"job": job.Title, "matches": out})
	})

	r.Run()
}
