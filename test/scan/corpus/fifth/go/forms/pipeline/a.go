package a

import (
	"context"
	"encoding/json"
	"net/http"
)

type item struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
	Max   float64 `json:"max_score"`
}
type job struct{ id string }
type stage[In, Out any] func(context.Context, <-chan In) <-chan Out

func source(ids []string) <-chan job {
	ch := make(chan job)
	go func() {
		defer close(ch)
		for _, id := range ids {
			ch <- job{id}
		}
	}()
	return ch
}

func load(ctx context.Context, in <-chan job) <-chan item {
	out := make(chan item)
	go func() {
		defer close(out)
		for j := range in {
			resp, err := http.Get("https://h/api/v1/passport_credentials?passport_id=" + j.id) // call: passport-credentials
			if err != nil { // hazard: catch-default
				continue
			}
			var body struct {
				Items []item `json:"passport_credentials"`
			}
			json.NewDecoder(resp.Body).Decode(&body) // hazard: catch-default
			resp.Body.Close()
			for _, it := range body.Items {
				select {
				case out <- it:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return out
}

func filter(in <-chan item, keep func(item) bool) <-chan item {
	out := make(chan item)
	go func() {
		defer close(out)
		for it := range in {
			if keep(it) {
				out <- it
			}
		}
	}()
	return out
}

func main() {
	ctx := context.Background()
	good := filter(load(ctx, source([]string{"1"})), func(i item) bool { return i.Score/i.Max > 0.5 }) // read: passport_credentials[].score, passport_credentials[].max_score
	for {
		it, ok := <-good
		if !ok {
			break
		}
		println(it.ID) // read: passport_credentials[].id
	}
}
