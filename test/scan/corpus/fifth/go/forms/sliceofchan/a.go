package a

import (
	"encoding/json"
	"net/http"
	"sync"
)

type Cred struct {
	Cat string `json:"category"`
	At  string `json:"earned_at"`
}

func one(id string) []Cred {
	resp, err := http.Get("https://h/api/v1/passport_credentials?passport_id=" + id) // call: passport-credentials
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	var r struct{ C []Cred `json:"passport_credentials"` }
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		panic(err)
	}
	return r.C
}

func many(ids []string) {
	res := make([][]Cred, len(ids))
	var mu sync.Mutex
	byID := map[string][]Cred{}
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Add(1)
		go func(i int, id string) {
			defer wg.Done()
			res[i] = one(id)
			mu.Lock()
			byID[id] = append(byID[id], one(id)...)
			mu.Unlock()
		}(i, id)
	}
	wg.Wait()
	for _, cs := range res {
		for _, c := range cs {
			println(c.Cat) // read: passport_credentials[].category
		}
	}
	for _, cs := range byID {
		println(cs[0].At) // read: passport_credentials[].earned_at
	}
}
