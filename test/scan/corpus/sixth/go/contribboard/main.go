package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/google/go-github/v62/github"
	_ "github.com/lib/pq"
)

type passportRow struct {
	PassportID     int64
	Score          sql.NullFloat64
	HumanCheckmark bool
	MainWallet     string
}

func passports(db *sql.DB) ([]passportRow, error) {
	rows, err := db.Query(`SELECT passport_id, score, human_checkmark, main_wallet FROM passports`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []passportRow
	for rows.Next() {
		var p passportRow
		if err := rows.Scan(&p.PassportID, &p.Score, &p.HumanCheckmark, &p.MainWallet); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	people, err := search(context.Background(), github.NewClient(nil), "location:lisbon")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range people {
		n, _ := strconv.Atoi(p.FollowerCount)
		fmt.Println(p.DisplayName, p.Location, n, p.Score)
	}
	stored, err := passports(db)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range stored {
		if s.Score.Valid && s.HumanCheckmark {
			fmt.Println(s.PassportID, s.MainWallet, s.Score.Float64)
		}
	}
}
