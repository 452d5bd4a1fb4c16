package a

import (
	"encoding/json"
	"net/http"
	"sort"
)

type Row struct {
	Score float64 `json:"score"`
	W     string  `json:"main_wallet"`
	Act   float64 `json:"activity_score"`
}
type Rows []Row
type ByWallet map[string]Row
type Index map[string][]Row

func (r Rows) Top(n int) Rows {
	sort.Slice(r, func(i, j int) bool { return r[i].Score > r[j].Score }) // read: passports[].score
	return r[:min(n, len(r))]
}
func (r Rows) Wallets() (out []string) {
	for _, x := range r {
		out = append(out, x.W) // read: passports[].main_wallet
	}
	return
}
func (r Rows) Index() ByWallet {
	m := make(ByWallet, len(r))
	for _, x := range r {
		m[x.W] = x // read: passports[].main_wallet
	}
	return m
}
func (b ByWallet) Activity(w string) float64 { return b[w].Act } // read: passports[].activity_score
func (b ByWallet) Each(f func(Row)) {
	for _, x := range b {
		f(x)
	}
}

func load() ([]Row, error) {
	resp, err := http.Get("https://h/api/v1/passports") // call: passport-list
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var b struct {
		Passports []Row `json:"passports"`
	}
	return b.Passports, json.NewDecoder(resp.Body).Decode(&b)
}

func main() {
	rows, err := load()
	if err != nil {
		panic(err)
	}
	top := Rows(rows).Top(3)
	println(top[0].W, len(top.Wallets())) // read: passports[].main_wallet
	ix := Rows(rows).Index()
	println(ix.Activity("x"))
	ix.Each(func(r Row) { println(r.Score) }) // read: passports[].score
	idx := Index{}
	for _, r := range top {
		idx[r.W] = append(idx[r.W], r) // read: passports[].main_wallet
	}
	for w, rs := range idx {
		println(w, rs[0].Act) // read: passports[].activity_score
	}
}
