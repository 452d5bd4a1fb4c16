package authors

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"
)

var ErrUpstream = errors.New("authors: upstream unavailable")

type Directory struct {
	base     string
	key      string
	cache    *expirable.LRU[string, *Passport]
	badges   *expirable.LRU[int, []Badge]
	group    singleflight.Group
	validate *validator.Validate
}

func NewDirectory(base, key string, ttl time.Duration) *Directory {
	return &Directory{
		base:     strings.TrimSuffix(base, "/"),
		key:      key,
		cache:    expirable.NewLRU[string, *Passport](2048, nil, ttl),
		badges:   expirable.NewLRU[int, []Badge](2048, nil, ttl),
		validate: validator.New(validator.WithRequiredStructEnabled()),
	}
}

func (d *Directory) request(dst any, elem ...string) error {
	u, err := url.Parse(d.base + "/" + elem[0])
	if err != nil {
		return err
	}
	q := u.Query()
	for i := 1; i+1 < len(elem); i += 2 {
		q.Set(elem[i], elem[i+1])
	}
	u.RawQuery = q.Encode()
	res, err := http.DefaultClient.Do(&http.Request{Method: "GET", URL: u, Header: http.Header{"X-Api-Key": {d.key}}})
	if err != nil {
		return fmt.Errorf("%w: %v", ErrUpstream, err)
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(dst)
}

// Lookup answers from the cache and asks upstream once per wallet at a time.
func (d *Directory) Lookup(wallet string) (*Passport, error) {
	key := strings.ToLower(wallet)
	if p, ok := d.cache.Get(key); ok {
		return p, nil
	}
	v, err, _ := d.group.Do(key, func() (any, error) {
		var body struct {
			Passport *Passport `json:"passport" validate:"required"`
		}
		if err := d.request(&body, "passports/"+key); err != nil {
			return nil, err
		}
		if err := d.validate.Struct(body); err != nil {
			return nil, err
		}
		for _, w := range body.Passport.VerifiedWallets {
			d.cache.Add(strings.ToLower(w), body.Passport)
		}
		d.cache.Add(key, body.Passport)
		return body.Passport, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*Passport), nil
}

func (d *Directory) Badges(p *Passport) []Badge {
	if b, ok := d.badges.Get(p.ID); ok {
		return b
	}
	var body struct {
		Badges []Badge `json:"passport_credentials"`
	}
	if err := d.request(&body, "passport_credentials", "passport_id", fmt.Sprint(p.ID)); err != nil {
		return []Badge{}
	}
	d.badges.Add(p.ID, body.Badges)
	return body.Badges
}

func (d *Directory) Search(name string) (found []Passport, err error) {
	var body struct {
		Passports []Passport `json:"passports"`
	}
	err = d.request(&body, "passports", "keyword", name)
	return body.Passports, err
}
