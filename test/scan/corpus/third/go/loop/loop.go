package loop

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type pageInfo struct {
	Current int `json:"current_page"`
	Last    int `json:"last_page"`
	Total   int `json:"total"`
}

type person struct {
	Name struct {
		Display string `json:"display_name"`
	} `json:"passport_profile"`
	Connections int `json:"connections_count"`
}

type response struct {
	People []person `json:"passports"`
	Page   pageInfo `json:"pagination"`
}

func Each(base string, visit func(person) error) error {
	for n := 1; ; n++ {
		url := fmt.Sprintf("%s/api/v1/passports?page=%d", base, n)
		r, err := http.Get(url) // call: passport-list
		if err != nil {
			return err
		}
		var body response
		err = json.NewDecoder(r.Body).Decode(&body)
		r.Body.Close()
		if err != nil {
			return err
		}
		for _, p := range body.People {
			if err := visit(p); err != nil {
				return err
			}
		}
		if body.Page.Current == body.Page.Last { // read: pagination.current_page, pagination.last_page
			return nil
		}
	}
}

func Count(base string) (map[string]int, error) {
	counts := map[string]int{}
	err := Each(base, func(p person) error {
		counts[p.Name.Display] = p.Connections // read: passports[].passport_profile.display_name, passports[].connections_count
		return nil
	})
	return counts, err
}
