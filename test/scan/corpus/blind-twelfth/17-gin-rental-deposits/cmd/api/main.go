package main

import (
	"errors"
	"log"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/kelseyhightower/envconfig"

	"github.com/keyhold/deposits/internal/deposit"
	"github.com/keyhold/deposits/pkg/talent"
)

type config struct {
	Addr         string  `default:":8080"`
	TalentURL    string  `split_words:"true" default:"https://api.talentprotocol.com/api/v1"`
	TalentAPIKey string  `envconfig:"TALENT_API_KEY"`
	Months       float64 `default:"2"`
}

func main() {
	var cfg config
	envconfig.MustProcess("deposits", &cfg)

	quoter := &deposit.Quoter{
		Talent: talent.New(cfg.TalentAPIKey, talent.WithBaseURL(cfg.TalentURL)),
		Months: cfg.Months,
	}
	r := gin.Default()
	v1 := r.Group("/api/v1")
	v1.GET("/quotes/:wallet", func(c *gin.Context) {
		rent, err := strconv.ParseFloat(c.Query("rent"), 64)
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": "rent must be a number"})
			return
		}
		q, err := quoter.Quote(c.Request.Context(), c.Param("wallet"), rent)
		var apiErr *talent.APIError
		switch {
		case errors.As(err, &apiErr) && apiErr.StatusCode == http.StatusNotFound:
			c.JSON(http.StatusNotFound, gin.H{"error": "no passport"})
		case err != nil:
			c.JSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		default:
			c.Header("X-Score", strconv.FormatFloat(q.Score, 'f', 0, 64))
			c.JSON(http.StatusOK, q)
		}
	})
	log.Fatal(r.Run(cfg.Addr))
}
