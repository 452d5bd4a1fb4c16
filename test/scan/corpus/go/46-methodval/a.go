package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type reply struct {
	Passport *struct {
		MainWallet  string    `json:"main_wallet"`
		LastUpdated time.Time `json:"last_calculated_at"`
		Profile     struct {
			Location string `json:"location"`
		} `json:"passport_profile"`
	} `json:"passport"`
}

type svc struct{ base string }

func (s svc) Lookup(ctx context.Context, id string) (*reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/api/v1/passports/"+id, nil) // call: passport
	if err != nil {
		return nil, err
	}
	r := &reply{}
	return r, send(req, r)
}

func send(req *http.Request, into interface{}) error {
	resp, err := (&http.Client{Timeout: time.Second}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(into)
}

func retry[T any](n int, f func() (T, error)) (out T, err error) {
	for i := 0; i < n; i++ {
		if out, err = f(); err == nil {
			return out, nil
		}
	}
	return out, err
}

type step func(context.Context, *state) error

type state struct {
	id    string
	reply *reply
	notes []string
}

func fetchStep(s svc) step {
	lookup := s.Lookup
	return func(ctx context.Context, st *state) (err error) {
		st.reply, err = retry(3, func() (*reply, error) { return lookup(ctx, st.id) })
		return err
	}
}

func noteStep(_ context.Context, st *state) error {
	if time.Since(st.reply.Passport.LastUpdated) > 24*time.Hour { // read: passport.last_calculated_at
		st.notes = append(st.notes, "stale")
	}
	st.notes = append(st.notes, st.reply.Passport.Profile.Location) // read: passport.passport_profile.location
	return nil
}

func main() {
	st := &state{id: "1"}
	for _, run := range []step{fetchStep(svc{"https://rep.example.org"}), noteStep} {
		if err := run(context.Background(), st); err != nil {
			panic(err)
		}
	}
	fmt.Println(st.reply.Passport.MainWallet, st.notes) // read: passport.main_wallet
}
