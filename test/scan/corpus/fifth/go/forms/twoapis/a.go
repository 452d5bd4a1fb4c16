package a

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type transport struct {
	base string
	hc   *http.Client
}

func call[T any](ctx context.Context, t *transport, format string, args ...any) (*T, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+fmt.Sprintf(format, args...), nil)
	if err != nil {
		return nil, err
	}
	resp, err := t.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out := new(T)
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return nil, err
	}
	return out, nil
}

type Repo struct {
	Score float64 `json:"score"`
	Name  string  `json:"name"`
	Owner struct {
		Type string `json:"type"`
	} `json:"owner"`
}
type Wrapped struct {
	Passport struct {
		Identity float64 `json:"identity_score"`
		Profile  struct {
			Name string `json:"display_name"`
		} `json:"passport_profile"`
	} `json:"passport"`
}
type Creds struct {
	L []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"passport_credentials"`
}

func main() {
	ctx := context.Background()
	gh, rep := &transport{"https://api.github.com", http.DefaultClient}, &transport{"https://h", http.DefaultClient}
	r, err := call[Repo](ctx, gh, "/repos/%s/%s", "a", "b")
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Score, r.Name, r.Owner.Type)
	w, err := call[Wrapped](ctx, rep, "/api/v1/passports/%s", "0x1") // call: passport
	if err != nil {
		panic(err)
	}
	fmt.Println(w.Passport.Identity, w.Passport.Profile.Name) // read: passport.identity_score, passport.passport_profile.display_name
	c, err := call[Creds](ctx, rep, "/api/v1/passport_credentials?passport_id=%v", 3) // call: passport-credentials
	if err != nil {
		panic(err)
	}
	for _, x := range c.L {
		fmt.Println(x.Name, x.Type) // read: passport_credentials[].name, passport_credentials[].type
	}
}
