package main

import (
	"database/sql"
	"log"
	"os"

	_ "github.com/lib/pq"
)

type subscriber struct {
	Email       string
	DisplayName string
	Score       sql.NullFloat64
}

func subscribers() []string {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil
	}
	defer db.Close()
	rows, err := db.Query("select email, display_name, score from passports where digest")
	if err != nil {
		return nil
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s subscriber
		_ = rows.Scan(&s.Email, &s.DisplayName, &s.Score)
		if s.Score.Valid && s.Score.Float64 > 0 {
			out = append(out, s.Email)
		}
	}
	log.Printf("%d subscribers", len(out))
	return out
}
