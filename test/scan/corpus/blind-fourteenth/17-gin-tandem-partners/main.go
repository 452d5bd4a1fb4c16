package main

import (
	"log"
	"time"

	"github.com/gin-gonic/gin"
	gocache "github.com/patrickmn/go-cache"
)

func main() {
	cfg, err := loadConfig()
	if err != nil {
		log.Fatal(err)
	}
	h := &handler{
		rep:   &reputation{base: cfg.TalentBase, key: cfg.TalentKey},
		deepl: &deepl{key: cfg.DeeplKey},
		cache: gocache.New(15*time.Minute, time.Hour),
	}
	r := gin.Default()
	r.GET("/partners", h.search)
	r.GET("/partners/:id", h.partner)
	r.GET("/partners/:id/bio/:lang", h.translatedBio)
	log.Fatal(r.Run(":" + cfg.Port))
}
