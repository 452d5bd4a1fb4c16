package gjsonpick

import "github.com/tidwall/gjson"

type Pair struct {
	Wallet string
	Score  float64
}

func Wallets() (pairs []Pair, pages int64) {
	body, err := fetch("/api/v1/passports") // call: passport-list
	if err != nil { // hazard: catch-default
		return nil, 0
	}
	parsed := gjson.Parse(body)
	for _, p := range parsed.Get("passports").Array() {
		pairs = append(pairs, Pair{p.Get("main_wallet").Str, p.Get("score").Num}) // read: passports[].main_wallet, passports[].score
	}
	return pairs, parsed.Get("pagination.last_page").Int() // read: pagination.last_page
}

func Best(pairs []Pair) (best Pair) {
	for _, p := range pairs {
		if p.Score > best.Score {
			best = p
		}
	}
	return best
}
