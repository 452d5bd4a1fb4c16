package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type passportBody struct {
	Passport struct {
		Score            float64   `json:"score"`
		ActivityScore    float64   `json:"activity_score"`
		IdentityScore    float64   `json:"identity_score"`
		ConnectionsCount int       `json:"connections_count"`
		LastCalculatedAt time.Time `json:"last_calculated_at"`
	} `json:"passport"`
}

type Collector struct {
	base    string
	wallets []string
	client  http.Client
	score   *prometheus.Desc
	age     *prometheus.Desc
}

func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.score
	ch <- c.age
}

func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	for _, wallet := range c.wallets {
		body, err := c.load(wallet)
		if err != nil { // hazard: catch-default
			log.Println(err)
			continue
		}
		p := body.Passport
		for kind, value := range map[string]float64{
			"total":       p.Score, // read: passport.score
			"activity":    p.ActivityScore, // read: passport.activity_score
			"identity":    p.IdentityScore, // read: passport.identity_score
			"connections": float64(p.ConnectionsCount), // read: passport.connections_count
		} {
			ch <- prometheus.MustNewConstMetric(c.score, prometheus.GaugeValue, value, wallet, kind)
		}
		age := time.Since(p.LastCalculatedAt).Seconds() // read: passport.last_calculated_at
		ch <- prometheus.MustNewConstMetric(c.age, prometheus.GaugeValue, age, wallet)
	}
}

func (c *Collector) load(wallet string) (*passportBody, error) {
	url := fmt.Sprintf("%s/api/v1/passports/%s", c.base, wallet)
	resp, err := c.client.Get(url) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	body := new(passportBody)
	return body, json.NewDecoder(resp.Body).Decode(body)
}
