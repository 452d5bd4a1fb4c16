package main

import (
	"encoding/json"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	"github.com/rs/zerolog/log"
)

var upstream = getenv("REPUTATION_URL", "https://rep.example.org")

func getenv(k, def string) string {
	if v, ok := os.LookupEnv(k); ok {
		return v
	}
	return def
}

type summary struct {
	Score  float64  `json:"score"`
	Tags   []string `json:"tags"`
	Social int      `json:"social"`
}

type apiResponse struct {
	Passport *apiPassport `json:"passport"`
}

type apiPassport struct {
	Score   float64 `json:"score"`
	Profile *struct {
		Tags []string `json:"tags"`
	} `json:"passport_profile,omitempty"`
	Socials []*apiSocial `json:"passport_socials"`
}

type apiSocial struct {
	URL       string `json:"profile_url"`
	Following string `json:"following_count"`
}

func toSummary(p *apiPassport) summary {
	s := summary{Score: p.Score, Social: len(p.Socials)} // read: passport.score, passport.passport_socials, passports[].score
	if p.Profile != nil { // read: passport.passport_profile, passports[].passport_profile
		s.Tags = p.Profile.Tags // read: passport.passport_profile.tags[], passports[].passport_profile.tags[]
	}
	for _, so := range p.Socials { // read: passport.passport_socials
		if so.URL == "" || so.Following == "0" { // read: passport.passport_socials[].profile_url, passport.passport_socials[].following_count
			s.Social--
		}
	}
	return s
}

func handle(c *gin.Context) {
	resp, err := http.Get(upstream + "/api/v1/passports/" + c.Param("id")) // call: passport
	if err != nil {
		c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	defer resp.Body.Close()
	var body apiResponse
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil || body.Passport == nil {
		c.JSON(http.StatusBadGateway, gin.H{"error": "bad body"})
		return
	}
	sum := toSummary(body.Passport)
	log.Info().Float64("score", sum.Score).Msg("ok")
	c.JSON(http.StatusOK, sum)
}

func list(c *gin.Context) {
	resp, err := http.Get(upstream + "/api/v1/passports?keyword=" + c.Query("q")) // call: passport-list
	if err != nil { // hazard: catch-default
		log.Error().Err(err).Msg("list")
		c.JSON(200, []string{})
		return
	}
	defer resp.Body.Close()
	var body struct {
		Passports []apiPassport `json:"passports"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		c.Status(502)
		return
	}
	out := make([]summary, 0)
	for i := range body.Passports {
		out = append(out, toSummary(&body.Passports[i]))
	}
	c.JSON(200, out)
}

func main() {
	r := gin.Default()
	r.GET("/api/v1/passports/:id", handle)
	r.GET("/people", list)
	r.Run()
}
