package trust

import (
	"context"
	"strings"
	"sync"
	"time"

	"parcelpool.dev/trust/internal/talentv1"
)

type entry struct {
	rec   *talentv1.Record
	until time.Time
}

// Cached keeps records of a Reputation for a while. A record whose score is in motion is kept shortly only.
type Cached struct {
	Reputation
	TTL time.Duration

	mu      sync.RWMutex
	records map[string]entry
	now     func() time.Time
}

func NewCached(next Reputation, ttl time.Duration) *Cached {
	return &Cached{Reputation: next, TTL: ttl, records: map[string]entry{}, now: time.Now}
}

func (c *Cached) Lookup(ctx context.Context, wallet string) (*talentv1.Record, error) {
	key := strings.ToLower(wallet)
	c.mu.RLock()
	e, ok := c.records[key]
	c.mu.RUnlock()
	if ok && c.now().Before(e.until) {
		return e.rec, nil
	}
	rec, err := c.Reputation.Lookup(ctx, wallet)
	if err != nil {
		if ok {
			return e.rec, nil // better an old record than none
		}
		return nil, err
	}
	ttl := c.TTL
	if rec.Calculating {
		ttl = 30 * time.Second
	}
	c.mu.Lock()
	c.records[key] = entry{rec, c.now().Add(ttl)}
	for _, w := range rec.Wallets {
		c.records[strings.ToLower(w)] = entry{rec, c.now().Add(ttl)}
	}
	c.mu.Unlock()
	return rec, nil
}
