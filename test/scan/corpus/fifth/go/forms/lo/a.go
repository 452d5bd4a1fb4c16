package a

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/samber/lo"
)

type row struct {
	Score  float64 `json:"score"`
	Wallet string  `json:"main_wallet"`
	Human  bool    `json:"human_checkmark"`
}

func rows() []row {
	r, err := http.Get("https://h/api/v1/passports") // call: passport-list
	if err != nil {
		panic(err)
	}
	defer r.Body.Close()
	var b struct{ Passports []row }
	if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
		panic(err)
	}
	return b.Passports
}

func main() {
	rs := rows()
	humans := lo.Filter(rs, func(r row, _ int) bool { return r.Human }) // read: passports[].human_checkmark
	ws := lo.Map(humans, func(r row, _ int) string { return r.Wallet }) // read: passports[].main_wallet
	println(len(ws))
	best := lo.MaxBy(humans, func(a, b row) bool { return a.Score > b.Score }) // read: passports[].score
	println(best.Wallet) // read: passports[].main_wallet
	by := lo.KeyBy(rs, func(r row) string { return r.Wallet }) // read: passports[].main_wallet
	println(by["x"].Score) // read: passports[].score
	grouped := lo.GroupBy(rs, func(r row) bool { return r.Human }) // read: passports[].human_checkmark
	for _, g := range grouped {
		println(g[0].Score) // read: passports[].score
	}
	one, ok := lo.Find(rs, func(r row) bool { return r.Wallet == "a" }) // read: passports[].main_wallet
	if ok {
		println(one.Score) // read: passports[].score
	}
	sum := lo.SumBy(rs, func(r row) float64 { return r.Score }) // read: passports[].score
	println(sum)
	total := lo.Reduce(rs, func(acc float64, r row, _ int) float64 { return acc + r.Score }, 0) // read: passports[].score
	println(total)
	lo.ForEach(rs, func(r row, i int) { println(r.Wallet) }) // read: passports[].main_wallet
	for _, c := range lo.Chunk(rs, 2) {
		for _, r := range c {
			println(r.Wallet) // read: passports[].main_wallet
		}
	}
	first, rest := rs[0], rs[1:]
	println(first.Score, rest[0].Score) // read: passports[].score
	vals := slices.Collect(maps.Values(by))
	println(vals[0].Wallet) // read: passports[].main_wallet
	c := slices.Clone(rs)
	slices.Reverse(c)
	println(c[0].Score) // read: passports[].score
	p, ok := lo.First(rs)
	println(p.Score) // read: passports[].score
	last := rs[len(rs)-1]
	println(last.Wallet) // read: passports[].main_wallet
	cp := make([]row, len(rs))
	copy(cp, rs)
	println(cp[0].Wallet) // read: passports[].main_wallet
	ptr := &rs[0]
	println(ptr.Wallet) // read: passports[].main_wallet
	if m := rs[0]; m.Human { // read: passports[].human_checkmark
		println("h")
	}
	f := func(r *row) float64 { return r.Score } // read: passports[].score
	println(f(&rs[1]))
}
