package ledger

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
)

type Entry struct {
	Wallet       string
	Wall         string
	SquareMetres float64
}

type Book struct{ Entries []Entry }

func Open(path string) (*Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	b := &Book{}
	for i, r := range rows[1:] {
		if len(r) < 3 {
			return nil, fmt.Errorf("%s:%d: three columns wanted", path, i+2)
		}
		m, err := strconv.ParseFloat(r[2], 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+2, err)
		}
		b.Entries = append(b.Entries, Entry{Wallet: r[0], Wall: r[1], SquareMetres: m})
	}
	return b, nil
}
