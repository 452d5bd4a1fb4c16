package fetch

import (
	"encoding/json"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"
)

const passportsPath = "/api/v1/passports/"

type Passport struct {
	ID       json.Number `json:"passport_id"`
	Merged   bool        `json:"merged"`
	Identity float64     `json:"identity_score"`
}

type Client struct{ Host string }

func (c Client) Get(id int) (*Passport, error) {
	resp, err := http.Get(c.Host + passportsPath + strconv.Itoa(id)) // call: passport
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out map[string]*Passport
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	return out["passport"], nil
}

func Many(c Client, ids []int) ([]*Passport, error) {
	var g errgroup.Group
	found := make([]*Passport, len(ids))
	for i, id := range ids {
		g.Go(func() error {
			p, err := c.Get(id)
			if err != nil {
				return err
			}
			found[i] = p
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, p := range found {
		if p.Merged || p.Identity > 3 { // read: passport.merged, passport.identity_score
			println(p.ID.String()) // read: passport.passport_id
		}
	}
	return found, nil
}
