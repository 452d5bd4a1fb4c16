package a

import (
	"encoding/json"
	"io"
	"net/http"
)

type Fetcher func(path string) ([]byte, error)

func HTTP(base string) Fetcher {
	return func(path string) ([]byte, error) {
		resp, err := http.Get(base + path)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}
}

func (f Fetcher) JSON(path string, v any) error {
	b, err := f(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

func Logged(f Fetcher) Fetcher {
	return func(p string) ([]byte, error) { println(p); return f(p) }
}

type list struct {
	Rows []struct {
		Conn int `json:"connections_count"`
	} `json:"passports"`
	Pg struct{ Total int `json:"total"` } `json:"pagination"`
}

func main() {
	f := Logged(HTTP("https://h"))
	var l list
	if err := f.JSON("/api/v1/passports", &l); err != nil { // call: passport-list
		panic(err)
	}
	println(l.Pg.Total) // read: pagination.total
	for _, r := range l.Rows {
		println(r.Conn) // read: passports[].connections_count
	}
}
