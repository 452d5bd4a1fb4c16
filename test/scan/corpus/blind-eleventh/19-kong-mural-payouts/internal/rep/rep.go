package rep

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"

	"github.com/hashicorp/go-retryablehttp"
)

type Object = map[string]any

type API struct {
	endpoint string
	key      string
	http     *retryablehttp.Client
}

func New(endpoint, key string) *API {
	c := retryablehttp.NewClient()
	c.RetryMax = 3
	c.Logger = nil
	return &API{endpoint: endpoint, key: key, http: c}
}

func (a *API) fetch(ctx context.Context, resource string, q url.Values) (Object, error) {
	target, err := url.JoinPath(a.endpoint, resource)
	if err != nil {
		return nil, err
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, "GET", target+"?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", a.key)
	res, err := a.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s: %s: %.120s", resource, res.Status, raw)
	}
	var out Object
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", resource, err)
	}
	return out, nil
}

func (a *API) Painter(ctx context.Context, wallet string) (Object, error) {
	body, err := a.fetch(ctx, "passports/"+wallet, nil)
	if err != nil {
		return nil, err
	}
	return Obj(body, "passport"), nil
}

func (a *API) Proofs(ctx context.Context, id float64) ([]Object, error) {
	body, err := a.fetch(ctx, "passport_credentials", url.Values{"passport_id": {fmt.Sprintf("%.0f", id)}})
	if err != nil {
		return nil, err
	}
	return list(body, "passport_credentials"), nil
}

func (a *API) Search(ctx context.Context, name string) ([]Object, float64, error) {
	body, err := a.fetch(ctx, "passports", url.Values{"keyword": {name}})
	if err != nil {
		return nil, 0, err
	}
	return list(body, "passports"), Num(Obj(body, "pagination"), "total"), nil
}

// Obj, list and Num read loosely: what is missing or of another type is empty.
func Obj(o Object, key string) Object {
	v, _ := o[key].(Object)
	return v
}

func list(o Object, key string) []Object {
	items, _ := o[key].([]any)
	out := make([]Object, 0, len(items))
	for _, it := range items {
		if m, ok := it.(Object); ok {
			out = append(out, m)
		}
	}
	return out
}

func Num(o Object, key string) float64 {
	v, _ := o[key].(float64)
	return v
}
