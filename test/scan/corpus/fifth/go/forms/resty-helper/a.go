package a

import "github.com/go-resty/resty/v2"

func do[T any](c *resty.Client, path string, q map[string]string) (T, error) {
	var out T
	_, err := c.R().SetQueryParams(q).SetResult(&out).Get(path)
	return out, err
}

type page struct {
	Passports []struct {
		ID    int `json:"passport_id"` // hazard: integer-id
		Human bool `json:"human_checkmark"`
	} `json:"passports"`
	Pagination struct{ LastPage int `json:"last_page"` } `json:"pagination"`
}

func humans(c *resty.Client) (n int, err error) {
	p, err := do[page](c, "/api/v1/passports", map[string]string{"keyword": "x"}) // call: passport-list
	if err != nil {
		return 0, err
	}
	for _, x := range p.Passports {
		if x.Human { // read: passports[].human_checkmark
			n++
		}
	}
	return n * p.Pagination.LastPage, nil // read: pagination.last_page
}
