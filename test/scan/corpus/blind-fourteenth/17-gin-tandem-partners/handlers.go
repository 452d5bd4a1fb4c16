package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	gocache "github.com/patrickmn/go-cache"
)

type handler struct {
	rep   *reputation
	deepl *deepl
	cache *gocache.Cache
}

func (h *handler) load(id string) (*Partner, error) {
	if v, ok := h.cache.Get(id); ok {
		return v.(*Partner), nil
	}
	p, err := h.rep.Get(id)
	if err != nil {
		return nil, err
	}
	h.cache.SetDefault(id, p)
	return p, nil
}

func (h *handler) search(c *gin.Context) {
	partners, total, err := h.rep.Search(c.Query("q"))
	if err != nil {
		c.JSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusOK, gin.H{"partners": partners, "total": total})
}

func (h *handler) partner(c *gin.Context) {
	p, err := h.load(c.Param("id"))
	if err != nil {
		c.AbortWithStatusJSON(http.StatusNotFound, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusOK, gin.H{"partner": p, "skills": h.rep.Languages(p.ID), "trusted": p.Score > 50 && p.Verified})
}

func (h *handler) translatedBio(c *gin.Context) {
	p, err := h.load(c.Param("id"))
	if err != nil {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	text, err := h.deepl.Translate(p.Bio, c.Param("lang"))
	if err != nil {
		text = p.Bio
	}
	c.String(http.StatusOK, text)
}
