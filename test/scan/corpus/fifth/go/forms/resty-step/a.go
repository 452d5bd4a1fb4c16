package a

import "github.com/go-resty/resty/v2"

type cred struct {
	Kind string `json:"type"`
	Pts  float64 `json:"score"`
}
type reply struct {
	All []cred `json:"passport_credentials"`
}

type svc struct{ c *resty.Client }

func (s *svc) list(id string) ([]cred, error) {
	req := s.c.R()
	req.SetQueryParam("passport_id", id)
	out := &reply{}
	req.SetResult(out)
	if _, err := req.Get("/api/v1/passport_credentials"); err != nil { // call: passport-credentials
		return nil, err
	}
	return out.All, nil
}

func (s *svc) total(id string) (float64, error) {
	all, err := s.list(id)
	if err != nil {
		return 0, err
	}
	t := 0.0
	for i := range all {
		if all[i].Kind == "x" { // read: passport_credentials[].type
			t += all[i].Pts // read: passport_credentials[].score
		}
	}
	return t, nil
}
