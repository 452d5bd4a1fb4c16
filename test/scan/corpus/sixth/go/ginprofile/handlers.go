package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
)

const passportAPI = "https://api.reputation.example/api/v1/passports/"

func fetchPassport(id string) map[string]interface{} {
	resp, err := http.Get(passportAPI + id) // call: passport
	if err != nil { // hazard: catch-default
		return nil
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body) // hazard: catch-default
	var data map[string]interface{}
	if err := json.Unmarshal(body, &data); err != nil { // hazard: catch-default
		return nil
	}
	passport, _ := data["passport"].(map[string]interface{})
	return passport
}

func showProfile(c *gin.Context) {
	passport := fetchPassport(c.Param("id"))
	if passport == nil {
		c.JSON(http.StatusNotFound, gin.H{"error": "unknown"})
		return
	}
	score, _ := passport["score"].(float64) // read: passport.score; hazard: fallback-default
	name := ""
	if profile, ok := passport["passport_profile"].(map[string]interface{}); ok { // read: passport.passport_profile
		name, _ = profile["display_name"].(string) // read: passport.passport_profile.display_name
	}
	followers := 0
	if socials, ok := passport["passport_socials"].([]interface{}); ok { // read: passport.passport_socials
		for _, item := range socials {
			social := item.(map[string]interface{})
			if n, err := strconv.Atoi(social["follower_count"].(string)); err == nil { // read: passport.passport_socials[].follower_count; hazard: string-number
				followers += n
			}
		}
	}
	c.JSON(http.StatusOK, gin.H{"score": score, "display_name": name, "followers": followers})
}

func showSettings(c *gin.Context) {
	raw, err := os.ReadFile("settings.json")
	if err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	var settings map[string]interface{}
	_ = json.Unmarshal(raw, &settings)
	score, _ := settings["score"].(float64)
	location, _ := settings["location"].(string)
	c.JSON(http.StatusOK, gin.H{"score": score, "location": location})
}

func main() {
	r := gin.Default()
	r.GET("/api/v1/profiles/:id", showProfile)
	r.GET("/api/v1/profiles/:id/credentials", showCredentials)
	r.GET("/api/v1/settings", showSettings)
	r.Run()
}
