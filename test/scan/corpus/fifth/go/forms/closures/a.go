package a

import (
	"encoding/json"
	"net/http"
)

type getter func(path string, out any) error

func newGetter(base, key string) getter {
	hc := &http.Client{}
	return func(path string, out any) error {
		req, err := http.NewRequest(http.MethodGet, base+path, nil)
		if err != nil {
			return err
		}
		req.Header.Set("X-API-KEY", key)
		res, err := hc.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		return json.NewDecoder(res.Body).Decode(out)
	}
}

type deps struct {
	get    getter
	notify func(string)
}

type body struct {
	Passport struct {
		Human   bool `json:"human_checkmark"`
		Pending bool `json:"calculating_score"`
	} `json:"passport"`
}

func (d deps) verify(id string) (bool, error) {
	var b body
	if err := d.get("/api/v1/passports/"+id, &b); err != nil { // call: passport
		return false, err
	}
	p := b.Passport
	if p.Pending { // read: passport.calculating_score
		d.notify(id)
		return false, nil
	}
	return p.Human, nil // read: passport.human_checkmark
}

func (d deps) quiet(id string) bool {
	var b body
	_ = d.get("/api/v1/passports/"+id, &b) // call: passport; hazard: catch-default
	return b.Passport.Human // read: passport.human_checkmark
}

func main() {
	d := deps{get: newGetter("https://h", "k"), notify: func(string) {}}
	ok, err := d.verify("1")
	println(ok, err)
}
