package main

import (
	"errors"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/kennelclub-north/border-desk/registry"
)

type desk struct {
	reg *registry.Registry
}

func main() {
	d := &desk{reg: registry.New(os.Getenv("VETREG_URL"), os.Getenv("VETREG_TOKEN"))}
	r := gin.Default()
	api := r.Group("/api/v1")
	api.GET("/passports", d.kennel)
	api.GET("/passports/:chip", d.animal)
	if err := r.Run(); err != nil {
		log.Fatal(err)
	}
}

func (d *desk) kennel(c *gin.Context) {
	all, err := d.reg.PassportsOf(c, c.Query("kennel"))
	if err != nil {
		log.Printf("kennel: %v", err)
		c.JSON(http.StatusOK, gin.H{"passports": []any{}, "total": 0})
		return
	}
	out := make([]gin.H, 0, len(all))
	for _, p := range all {
		out = append(out, gin.H{"number": p.Number, "name": p.Name, "owner": p.Owner.DisplayName, "score": p.Score})
	}
	c.JSON(http.StatusOK, gin.H{"passports": out, "total": len(out)})
}

func (d *desk) animal(c *gin.Context) {
	p, err := d.reg.PassportByChip(c, c.Param("chip"))
	if errors.Is(err, registry.ErrUnknownChip) {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	if err != nil {
		c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	creds, err := d.reg.VetCredentials(c, p.SignedBy)
	if err != nil {
		creds = nil
	}
	findings := registry.Check(p, creds, time.Now())
	c.JSON(http.StatusOK, gin.H{
		"passport": gin.H{
			"number":   p.Number,
			"name":     p.Name,
			"species":  p.Species,
			"owner":    p.Owner.DisplayName,
			"location": p.Owner.Location,
			"score":    p.Score,
		},
		"may_travel": len(findings) == 0,
		"findings":   findings,
	})
}
