package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
)

type upstream struct {
	client *http.Client
	base   string
	log    *zap.Logger
}

type passportDTO struct {
	Passport struct {
		PassportID int     `json:"passport_id"` // hazard: integer-id
		Score      float64 `json:"score"`
		Socials    []struct {
			Source        string `json:"source"`
			FollowerCount string `json:"follower_count"`
		} `json:"passport_socials"`
	} `json:"passport"`
}

var errNotFound = errors.New("not found")

func (u *upstream) get(c *gin.Context, path string, dst any) error {
	req, err := http.NewRequestWithContext(c.Request.Context(), http.MethodGet, u.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-KEY", os.Getenv("KEY"))
	res, err := u.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
		return json.NewDecoder(res.Body).Decode(dst)
	case http.StatusNotFound:
		return errNotFound
	default:
		return errors.New(res.Status)
	}
}

func (u *upstream) passport(c *gin.Context) {
	var dto passportDTO
	if err := u.get(c, "/api/v1/passports/"+c.Param("id"), &dto); err != nil { // call: passport
		if errors.Is(err, errNotFound) {
			c.JSON(http.StatusNotFound, gin.H{"error": "none"})
			return
		}
		c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	socials := gin.H{}
	for _, s := range dto.Passport.Socials { // read: passport.passport_socials
		socials[s.Source] = s.FollowerCount // read: passport.passport_socials[].source, passport.passport_socials[].follower_count
	}
	c.JSON(http.StatusOK, gin.H{
		"id":      dto.Passport.PassportID, // read: passport.passport_id
		"score":   dto.Passport.Score, // read: passport.score
		"socials": socials,
	})
}

func (u *upstream) silent(c *gin.Context) {
	var dto passportDTO
	if err := u.get(c, "/api/v1/passports/"+c.Param("id"), &dto); err != nil { // call: passport; hazard: catch-default
		u.log.Warn("upstream", zap.Error(err))
		c.JSON(http.StatusOK, gin.H{"score": 0})
		return
	}
	c.JSON(http.StatusOK, gin.H{"score": dto.Passport.Score}) // read: passport.score
}

func main() {
	u := &upstream{client: http.DefaultClient, base: os.Getenv("BASE")}
	r := gin.Default()
	r.GET("/api/v1/passports/:id", u.passport)
	r.GET("/x/:id", u.silent)
	r.Run()
}
