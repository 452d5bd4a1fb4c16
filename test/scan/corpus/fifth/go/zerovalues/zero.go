package zerovalues

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

type Social struct {
	Source         string `json:"source"`
	FollowerCount  string `json:"follower_count"`
	FollowingCount string `json:"following_count"`
}

type body struct {
	Passport struct {
		ID      int      `json:"passport_id"` // hazard: integer-id
		Socials []Social `json:"passport_socials"`
	} `json:"passport"`
}

func socials(wallet string) []Social {
	resp, _ := http.Get(fmt.Sprintf("https://rep.example.org/api/v1/passports/%s", wallet)) // call: passport; hazard: catch-default
	if resp == nil || resp.StatusCode != 200 { // hazard: status-default
		return []Social{}
	}
	defer resp.Body.Close()
	var b body
	_ = json.NewDecoder(resp.Body).Decode(&b) // hazard: catch-default
	fmt.Println("loaded", b.Passport.ID) // read: passport.passport_id
	return b.Passport.Socials // read: passport.passport_socials
}

func Ratio(wallet string) float64 {
	for _, s := range socials(wallet) {
		if s.Source != "farcaster" { // read: passport.passport_socials[].source
			continue
		}
		followers, _ := strconv.ParseFloat(s.FollowerCount, 64) // read: passport.passport_socials[].follower_count; hazard: string-number
		following, _ := strconv.ParseFloat(s.FollowingCount, 64) // read: passport.passport_socials[].following_count; hazard: string-number
		return followers / following
	}
	return 0
}

func GithubRatio(user struct{ FollowerCount, FollowingCount string }) int {
	n, _ := strconv.Atoi(user.FollowerCount)
	return n
}
