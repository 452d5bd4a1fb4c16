package main

func fetchScore(id string) (float64, error) {
	resp, err := http.Get("https://api.example.com/api/v1/passports/" + id) // call: passport
	if err != nil {
		return 0, err
	}
	var out struct {
		Passport struct {
			Score float64 `json:"score"`
		} `json:"passport"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return 0, err
	}
	return out.Passport.Score, nil // read: passport.score
}

func card(id string) (Card, error) {
	user, err := fetchUser(id)
	if err != nil {
		return Card{}, err
	}
	score, err := fetchScore(id)
	if err != nil {
		return Card{}, err
	}
	return Card{user, score}, nil
}

func page(id string) Card {
	c, err := card(id)
	if err != nil { // hazard: catch-default
		return Card{}
	}
	return c
}
