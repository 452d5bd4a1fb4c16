package dbsync

import (
	"database/sql"
	"time"
)

type UserRow struct {
	ID      int64
	Name    string
	Score   float64
	Updated time.Time
}

func save(db *sql.DB, rows []UserRow) error {
	for _, r := range rows {
		if _, err := db.Exec("insert into users values (?, ?, ?)", r.ID, r.Name, r.Score); err != nil {
			return err
		}
	}
	return nil
}

func top(db *sql.DB) (UserRow, error) {
	var r UserRow
	err := db.QueryRow("select id, name, score from users order by score desc").Scan(&r.ID, &r.Name, &r.Score)
	return r, err
}
