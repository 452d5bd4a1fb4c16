package dbsync

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"

	jsoniter "github.com/json-iterator/go"
)

var json = jsoniter.ConfigCompatibleWithStandardLibrary

type upstream struct {
	Passports []struct {
		ID      int64   `json:"passport_id"` // hazard: integer-id
		Score   float64 `json:"score"`
		Profile struct {
			Name string `json:"display_name"`
		} `json:"passport_profile"`
	} `json:"passports"`
	Pagination map[string]int `json:"pagination"`
}

type Syncer struct {
	DB   *sql.DB
	Host string
}

func (s *Syncer) pages(ctx context.Context) <-chan upstream {
	ch := make(chan upstream)
	go func() {
		defer close(ch)
		for page := 1; ; page++ {
			u, err := s.page(ctx, page)
			if err != nil { // hazard: catch-default
				return
			}
			ch <- u
			if u.Pagination["current_page"] >= u.Pagination["last_page"] { // read: pagination.current_page, pagination.last_page
				return
			}
		}
	}()
	return ch
}

func (s *Syncer) page(ctx context.Context, n int) (u upstream, err error) {
	req, err := http.NewRequest("GET", fmt.Sprintf("https://%s/api/v1/passports?page=%d", s.Host, n), nil) // call: passport-list
	if err != nil {
		return u, err
	}
	resp, err := http.DefaultClient.Do(req.WithContext(ctx))
	if err != nil {
		return u, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&u)
	return u, err
}

func (s *Syncer) Run(ctx context.Context) error {
	for page := range s.pages(ctx) {
		rows := make([]UserRow, 0, len(page.Passports))
		for _, p := range page.Passports {
			rows = append(rows, UserRow{ID: p.ID, Name: p.Profile.Name, Score: p.Score}) // read: passports[].passport_id, passports[].passport_profile.display_name, passports[].score
		}
		if err := save(s.DB, rows); err != nil {
			return err
		}
	}
	best, err := top(s.DB)
	if err != nil {
		return err
	}
	fmt.Println(best.Name, best.Score)
	return nil
}
