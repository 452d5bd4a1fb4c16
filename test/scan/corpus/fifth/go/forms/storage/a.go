package a

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"time"
)

type Passport struct {
	ID     int     `json:"passport_id" db:"id"` // hazard: integer-id
	Score  float64 `json:"score" db:"score"`
	Wallet string  `json:"main_wallet" db:"wallet"`
}

type Cached struct {
	Passport
	Seen time.Time
}

func fetch(id string) (Passport, error) {
	resp, err := http.Get("https://h/api/v1/passports/" + id) // call: passport
	if err != nil {
		return Passport{}, err
	}
	defer resp.Body.Close()
	var env struct {
		Passport Passport `json:"passport"`
	}
	err = json.NewDecoder(resp.Body).Decode(&env)
	return env.Passport, err
}

func save(db *sql.DB, p Passport) error {
	_, err := db.Exec("insert into p values ($1,$2,$3)", p.ID, p.Score, p.Wallet) // read: passport.passport_id, passport.score, passport.main_wallet
	return err
}

func sync(db *sql.DB, ids []string) error {
	for _, id := range ids {
		p, err := fetch(id)
		if err != nil {
			return err
		}
		if err := save(db, p); err != nil {
			return err
		}
	}
	return nil
}

type game struct {
	Score  float64
	Wallet string
}

func games(db *sql.DB) ([]game, error) {
	rows, err := db.Query("select score, wallet from games")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []game
	for rows.Next() {
		var g game
		if err := rows.Scan(&g.Score, &g.Wallet); err != nil {
			return nil, err
		}
		println(g.Score)
		out = append(out, g)
	}
	return out, rows.Err()
}

func wrap(id string) (*Cached, error) {
	p, err := fetch(id)
	if err != nil {
		return nil, err
	}
	return &Cached{p, time.Now()}, nil
}

func show(id string) {
	c, err := wrap(id)
	if err != nil {
		panic(err)
	}
	println(c.Wallet, c.Seen.String()) // read: passport.main_wallet
}
