package cache

import (
	"sync"
	"time"
)

type item[T any] struct {
	value T
	until time.Time
}

type Cache[T any] struct {
	mu    sync.Mutex
	items map[string]item[T]
	ttl   time.Duration
	load  func(string) (T, error)
}

func New[T any](ttl time.Duration, load func(string) (T, error)) *Cache[T] {
	return &Cache[T]{items: map[string]item[T]{}, ttl: ttl, load: load}
}

func (c *Cache[T]) Get(key string) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if it, ok := c.items[key]; ok && time.Now().Before(it.until) {
		return it.value, nil
	}
	v, err := c.load(key)
	if err != nil {
		return v, err
	}
	c.items[key] = item[T]{value: v, until: time.Now().Add(c.ttl)}
	return v, nil
}
