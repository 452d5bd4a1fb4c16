package gjsonpick

import (
	"fmt"
	"io"
	"net/http"

	"github.com/tidwall/gjson"
)

var BaseURL = "https://rep.example.org"

func fetch(path string) (string, error) {
	resp, err := http.Get(BaseURL + path)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func Headline(id int) (string, error) {
	body, err := fetch(fmt.Sprintf("/api/v1/passports/%d", id)) // call: passport; hazard: integer-id
	if err != nil {
		return "", err
	}
	name := gjson.Get(body, "passport.passport_profile.display_name").String() // read: passport.passport_profile.display_name
	at := gjson.Get(body, "passport.last_calculated_at") // read: passport.last_calculated_at
	return name + " " + at.String(), nil
}

func Types(id string) []string {
	body, err := fetch("/api/v1/passport_credentials?passport_id=" + id) // call: passport-credentials
	if err != nil { // hazard: catch-default
		return []string{}
	}
	var out []string
	gjson.Get(body, "passport_credentials").ForEach(func(_, c gjson.Result) bool {
		if c.Get("score").Float() > 0 { // read: passport_credentials[].score
			out = append(out, c.Get("type").String()) // read: passport_credentials[].type
		}
		return true
	})
	return out
}

func Stars(repo string) int64 {
	resp, err := http.Get("https://api.github.com/repos/" + repo)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return gjson.GetBytes(b, "score").Int() + gjson.GetBytes(b, "owner.type").Int()
}
