// Package cmp is a client for Cell Model Passports.
package cmp

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/go-resty/resty/v2"
)

const DefaultURL = "https://api.cellmodelpassports.sanger.ac.uk"

type Client struct {
	r *resty.Client
}

func New(base string) *Client {
	if base == "" {
		base = DefaultURL
	}
	return &Client{r: resty.New().
		SetBaseURL(base).
		SetRetryCount(2).
		SetTimeout(20*time.Second).
		SetHeader("Accept", "application/vnd.api+json")}
}

func (c *Client) get(ctx context.Context, path string, query map[string]string, out any) error {
	resp, err := c.r.R().SetContext(ctx).SetQueryParams(query).SetResult(out).Get(path)
	if err != nil {
		return err
	}
	if resp.IsError() {
		return fmt.Errorf("cmp: %s: %s", path, resp.Status())
	}
	return nil
}

// Passport is the page of one model, as the site calls it.
func (c *Client) Passport(ctx context.Context, id string) (*Passport, error) {
	var doc struct {
		Data Passport `json:"data"`
	}
	if err := c.get(ctx, "/models/"+id, map[string]string{"include": "sample.tissue"}, &doc); err != nil {
		return nil, err
	}
	return &doc.Data, nil
}

// Passports lists the models of a tissue, page by page.
func (c *Client) Passports(ctx context.Context, tissue string) ([]Passport, error) {
	var all []Passport
	for page := 1; ; page++ {
		var doc struct {
			Data []Passport `json:"data"`
			Meta struct {
				Count int `json:"count"`
			} `json:"meta"`
		}
		q := map[string]string{
			"filter":       fmt.Sprintf(`[{"name":"tissue","op":"eq","val":%q}]`, tissue),
			"page[number]": strconv.Itoa(page),
			"page[size]":   "100",
		}
		if err := c.get(ctx, "/models", q, &doc); err != nil {
			return nil, err
		}
		all = append(all, doc.Data...)
		if len(doc.Data) == 0 || len(all) >= doc.Meta.Count {
			return all, nil
		}
	}
}

// Scores returns the knock-out scores of a model.
func (c *Client) Scores(ctx context.Context, id string) ([]Essentiality, error) {
	var doc struct {
		Data []Essentiality `json:"data"`
	}
	err := c.get(ctx, "/models/"+id+"/datasets/crispr_ko", map[string]string{"page[size]": "0"}, &doc)
	return doc.Data, err
}
