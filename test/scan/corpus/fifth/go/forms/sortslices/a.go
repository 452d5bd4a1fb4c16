package a

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"sort"
)

type row struct {
	Score float64 `json:"score"`
	Wallet string `json:"main_wallet"`
	Tags struct{ Tags []string `json:"tags"` } `json:"passport_profile"`
}

func all(base string) ([]row, error) {
	r, err := http.Get(base + "/api/v1/passports") // call: passport-list
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	var b map[string]json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
		return nil, err
	}
	var rows []row
	if err := json.Unmarshal(b["passports"], &rows); err != nil {
		return nil, err
	}
	return rows, nil
}

func top(base string) {
	rows, err := all(base)
	if err != nil {
		panic(err)
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Score > rows[j].Score }) // read: passports[].score
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.Wallet, b.Wallet) }) // read: passports[].main_wallet
	i := slices.IndexFunc(rows, func(r row) bool { return len(r.Tags.Tags) > 0 }) // read: passports[].passport_profile.tags[]
	best := slices.MaxFunc(rows, func(a, b row) int { return cmp.Compare(a.Score, b.Score) }) // read: passports[].score
	println(best.Wallet, rows[i].Wallet) // read: passports[].main_wallet
	by := map[string]row{}
	for _, r := range rows {
		by[r.Wallet] = r // read: passports[].main_wallet
	}
	if r, ok := by["x"]; ok {
		println(r.Score) // read: passports[].score
	}
	keep := slices.DeleteFunc(rows, func(r row) bool { return r.Score < 2 }) // read: passports[].score
	for r := range slices.Values(keep) {
		println(r.Wallet) // read: passports[].main_wallet
	}
	for _, r := range slices.Backward(keep) {
		println(r.Wallet) // read: passports[].main_wallet
	}
}
type byScore []row
func (b byScore) Len() int { return len(b) }
func (b byScore) Less(i, j int) bool { return b[i].Score < b[j].Score } // read: passports[].score
func (b byScore) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
func sorted(base string) {
	rows, err := all(base)
	if err != nil {
		panic(err)
	}
	sort.Sort(byScore(rows))
	sort.Sort(sort.Reverse(byScore(rows)))
	println(rows[0].Wallet) // read: passports[].main_wallet
}
