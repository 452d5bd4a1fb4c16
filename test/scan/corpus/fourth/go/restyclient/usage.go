package restyclient

import (
	"fmt"
	"sort"

	"github.com/go-resty/resty/v2"
)

func (c *Client) Ranking(keyword string) ([]string, error) {
	people, total, err := c.Search(keyword)
	if err != nil {
		return nil, err
	}
	sort.Slice(people, func(i, j int) bool { return people[i].ActivityScore > people[j].ActivityScore }) // read: passports[].activity_score
	names := make([]string, 0, total)
	for _, p := range people {
		names = append(names, p.Profile.DisplayName+" "+p.MainWallet) // read: passports[].passport_profile.display_name, passports[].main_wallet
	}
	return names, nil
}

func (c *Client) Note(id string) string {
	p, err := c.ByID(id)
	if err != nil || p.Merged { // read: passport.merged; hazard: catch-default
		return ""
	}
	return fmt.Sprint(p.IdentityScore, p.Profile.Bio) // read: passport.identity_score, passport.passport_profile.bio
}

func Consulate(number string) (string, error) {
	var doc Passport
	_, err := resty.New().R().SetResult(&doc).Get("https://consulate.example.gov/v1/passport/" + number)
	return doc.MainWallet + doc.Profile.Bio, err
}
