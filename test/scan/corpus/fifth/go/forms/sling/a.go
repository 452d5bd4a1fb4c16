package a

import "github.com/dghubble/sling"

type svc struct{ sling *sling.Sling }

type Listing struct {
	Items []Item `json:"passports"`
}
type Item struct {
	Wallet string `json:"main_wallet"`
	Profile Profile `json:"passport_profile"`
}
type Profile struct {
	Name string `json:"display_name"`
}

func New(base string) *svc { return &svc{sling: sling.New().Base(base)} }

func (s *svc) Find(k string) ([]Item, error) {
	l := new(Listing)
	_, err := s.sling.New().Get("/api/v1/passports").QueryStruct(struct{ Keyword string }{k}).ReceiveSuccess(l) // call: passport-list
	return l.Items, err
}

func print(s *svc) {
	items, _ := s.Find("a") // hazard: catch-default
	for _, it := range items {
		println(it.Wallet, it.Profile.Name) // read: passports[].main_wallet, passports[].passport_profile.display_name
	}
}
