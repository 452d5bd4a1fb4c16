package main

import (
	"context"
	"log"
	"time"

	"github.com/carlmjohnson/requests"
	"github.com/prometheus/client_golang/prometheus"
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("repute_"+name, help, labels, nil)
}

var (
	scoreDesc   = desc("score", "Score by kind.", "alias", "kind")
	peersDesc   = desc("connections", "Connections of the member.", "alias")
	walletsDesc = desc("wallets", "Verified wallets of the member.", "alias")
	ageDesc     = desc("score_age_seconds", "Time since the last calculation.", "alias")
	creditDesc  = desc("credential_ratio", "Reached part of a credential.", "alias", "category", "type")
	sizeDesc    = desc("directory_size", "People in the directory.")
	upDesc      = desc("up", "Whether the member could be read.", "alias")
	statusDesc  = desc("statuspage_incidents", "Open incidents on our own status page.")
)

var gauges = []struct {
	kind string
	get  func(*person) float64
}{
	{"total", func(p *person) float64 { return p.Score }},
	{"activity", func(p *person) float64 { return p.Activity }},
	{"identity", func(p *person) float64 { return p.Identity }},
	{"skills", func(p *person) float64 { return p.Skills }},
}

type collector struct {
	cfg Config
	src *source
}

func (c *collector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, ch) }

func (c *collector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	emit := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}

	for _, member := range c.cfg.Team {
		p, err := c.src.person(ctx, member.Wallet)
		if err != nil || p == nil {
			log.Printf("%s: %v", member.Alias, err)
			emit(upDesc, 0, member.Alias)
			continue
		}
		emit(upDesc, 1, member.Alias)
		for _, g := range gauges {
			emit(scoreDesc, g.get(p), member.Alias, g.kind)
		}
		emit(peersDesc, float64(p.Connections), member.Alias)
		emit(walletsDesc, float64(len(p.Wallets)), member.Alias)
		if !p.Calculated.IsZero() {
			emit(ageDesc, time.Since(p.Calculated).Seconds(), member.Alias)
		}
		creds, _ := c.src.credentials(ctx, member.Wallet)
		for _, cr := range creds {
			if cr.Max > 0 {
				emit(creditDesc, cr.Score/cr.Max, member.Alias, cr.Category, cr.Type)
			}
		}
	}
	emit(sizeDesc, float64(c.src.population(ctx)))

	var status struct {
		Incidents []struct {
			ID string `json:"id"`
		} `json:"incidents"`
	}
	if err := requests.URL(c.cfg.Statuspage).ToJSON(&status).Fetch(ctx); err == nil {
		emit(statusDesc, float64(len(status.Incidents)))
	}
}
