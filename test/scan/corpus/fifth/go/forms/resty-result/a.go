package a

import "github.com/go-resty/resty/v2"

type env struct {
	Passport struct {
		Score  float64 `json:"score"`
		Wallet string  `json:"main_wallet"`
	} `json:"passport"`
}

func one(c *resty.Client, id string) (*env, error) {
	resp, err := c.R().SetResult(env{}).SetPathParams(map[string]string{"id": id}).Get("/api/v1/passports/{id}") // call: passport
	if err != nil {
		return nil, err
	}
	return resp.Result().(*env), nil
}

func show(c *resty.Client) {
	e, err := one(c, "3")
	if err != nil {
		panic(err)
	}
	println(e.Passport.Score, e.Passport.Wallet) // read: passport.score, passport.main_wallet
}

func execute(c *resty.Client, id string) {
	r, err := c.R().SetResult(&env{}).Execute(resty.MethodGet, "/api/v1/passports/"+id) // call: passport
	if err != nil {
		panic(err)
	}
	e := r.Result().(*env)
	println(e.Passport.Wallet) // read: passport.main_wallet
	var other struct {
		Score int `json:"score"`
	}
	c.R().SetResult(&other).Get("/api/v1/games/" + id)
	println(other.Score)
}
