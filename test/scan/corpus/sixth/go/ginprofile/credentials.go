package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

type credentialsEnvelope struct {
	Items []struct {
		ID       string  `json:"id"`
		Name     string  `json:"name"`
		Kind     string  `json:"type"`
		EarnedAt *string `json:"earned_at"`
		Score    float64 `json:"score"`
		MaxScore float64 `json:"max_score"`
	} `json:"passport_credentials"`
}

var httpClient = &http.Client{Timeout: 4 * time.Second}

func showCredentials(c *gin.Context) {
	resp, err := httpClient.Get(fmt.Sprintf("https://api.reputation.example/api/v1/passport_credentials?passport_id=%s", c.Param("id"))) // call: passport-credentials
	if err != nil || resp.StatusCode != http.StatusOK { // hazard: catch-default, status-default
		c.JSON(http.StatusOK, gin.H{"items": []string{}, "score": 0})
		return
	}
	defer resp.Body.Close()

	var envelope credentialsEnvelope
	if err := json.NewDecoder(resp.Body).Decode(&envelope); err != nil {
		c.AbortWithError(http.StatusBadGateway, err)
		return
	}

	items := make([]gin.H, 0, len(envelope.Items))
	total := 0.0
	for _, it := range envelope.Items {
		if it.EarnedAt == nil || it.MaxScore == 0 { // read: passport_credentials[].earned_at, passport_credentials[].max_score
			continue
		}
		total += it.Score / it.MaxScore // read: passport_credentials[].score, passport_credentials[].max_score
		items = append(items, gin.H{"id": it.ID, "name": it.Name, "kind": it.Kind}) // read: passport_credentials[].id, passport_credentials[].name, passport_credentials[].type
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "score": total})
}
