package enrich

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/rs/zerolog/log"
)

// Document is whatever the service says about somebody.
type Document map[string]any

type Reputation struct {
	root string
	key  string
	http *retryablehttp.Client
}

func NewReputation(root, key string) *Reputation {
	c := retryablehttp.NewClient()
	c.RetryMax = 3
	c.RetryWaitMin = 500 * time.Millisecond
	c.Logger = nil
	return &Reputation{root: strings.TrimSuffix(root, "/"), key: key, http: c}
}

func (r *Reputation) fetch(ctx context.Context, target string) (Document, error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", r.key)
	resp, err := r.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var d Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	return d, nil
}

// Lookup returns nil when the service knows nothing about the wallet.
func (r *Reputation) Lookup(ctx context.Context, wallet string) Document {
	body, err := r.fetch(ctx, r.root+"/passports/"+wallet)
	if err != nil {
		log.Warn().Err(err).Str("wallet", wallet).Msg("lookup")
		return nil
	}
	doc, _ := body["passport"].(map[string]any)
	return doc
}

// Proofs counts the credentials with a score, by category.
func (r *Reputation) Proofs(ctx context.Context, doc Document) map[string]int {
	counts := map[string]int{}
	id, ok := doc["passport_id"].(float64)
	if !ok {
		return counts
	}
	body, err := r.fetch(ctx, fmt.Sprintf("%s/passport_credentials?passport_id=%.0f", r.root, id))
	if err != nil {
		return counts
	}
	items, _ := body["passport_credentials"].([]any)
	for _, it := range items {
		cred, ok := it.(map[string]any)
		if !ok {
			continue
		}
		if pts, _ := cred["score"].(float64); pts > 0 {
			cat, _ := cred["category"].(string)
			counts[cat]++
		}
	}
	return counts
}
