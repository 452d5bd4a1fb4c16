package main

import (
	"log"
	"os"

	"github.com/gin-gonic/gin"

	"bountyboard/bounty"
	"bountyboard/handlers"
	"bountyboard/talent"
)

func main() {
	if os.Getenv("TALENT_BASE_URL") == "" {
		log.Fatal("TALENT_BASE_URL is not set")
	}
	svc := talent.NewService(os.Getenv("TALENT_BASE_URL"), os.Getenv("TALENT_API_KEY"))
	h := handlers.New(svc, bounty.NewStore())

	r := gin.Default()
	r.GET("/healthz", func(c *gin.Context) { c.String(200, "ok") })
	v1 := r.Group("/api/v1")
	{
		v1.GET("/bounties", h.ListBounties)
		v1.POST("/bounties", h.CreateBounty)
		v1.POST("/bounties/:id/apply", h.RequirePassport(), h.Apply)
		v1.GET("/hunters/:wallet", h.Hunter)
		v1.GET("/hunters", h.Hunters)
	}
	log.Fatal(r.Run())
}
