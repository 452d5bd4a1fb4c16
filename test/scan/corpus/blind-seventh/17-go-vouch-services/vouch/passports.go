package vouch

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
)

type Passport struct {
	PassportID       int64     `json:"passport_id" validate:"required"`
	Score            *float64  `json:"score" validate:"required"`
	ActivityScore    float64   `json:"activity_score"`
	IdentityScore    float64   `json:"identity_score"`
	SkillsScore      float64   `json:"skills_score"`
	HumanCheckmark   bool      `json:"human_checkmark"`
	CalculatingScore bool      `json:"calculating_score"`
	LastCalculatedAt Timestamp `json:"last_calculated_at"`
	MainWallet       string    `json:"main_wallet" validate:"omitempty,eth_addr"`
	VerifiedWallets  []string  `json:"verified_wallets" validate:"required"`
	Profile          *Profile  `json:"passport_profile" validate:"required"`
	Socials          []Social  `json:"passport_socials"`
}

type Profile struct {
	DisplayName string   `json:"display_name"`
	Bio         string   `json:"bio"`
	Location    string   `json:"location"`
	Tags        []string `json:"tags"`
}

type Social struct {
	Source        string `json:"source"`
	ProfileName   string `json:"profile_name"`
	ProfileURL    string `json:"profile_url"`
	FollowerCount string `json:"follower_count"`
}

type ListOptions struct {
	Keyword string `url:"keyword,omitempty"`
	Page    int    `url:"page,omitempty"`
}

type Pagination struct {
	CurrentPage int `json:"current_page"`
	LastPage    int `json:"last_page"`
	Total       int `json:"total"`
}

type PassportList struct {
	Passports  []*Passport `json:"passports" validate:"required,dive"`
	Pagination Pagination  `json:"pagination"`
}

type PassportsService struct{ client *Client }

func (s *PassportsService) List(ctx context.Context, opts *ListOptions) (*PassportList, error) {
	req, err := s.client.newRequest(ctx, "passports", opts)
	if err != nil {
		return nil, err
	}
	list := new(PassportList)
	if err := s.client.do(req, list); err != nil {
		return nil, err
	}
	return list, nil
}

// All walks over every page. The sequence ends with the first error.
func (s *PassportsService) All(ctx context.Context, keyword string) iter.Seq2[*Passport, error] {
	return func(yield func(*Passport, error) bool) {
		opts := &ListOptions{Keyword: keyword, Page: 1}
		for {
			list, err := s.List(ctx, opts)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, p := range list.Passports {
				if !yield(p, nil) {
					return
				}
			}
			if list.Pagination.CurrentPage >= list.Pagination.LastPage {
				return
			}
			opts.Page++
		}
	}
}

// Get reads one passport, by its id or by a wallet.
func (s *PassportsService) Get(ctx context.Context, idOrWallet string) (*Passport, error) {
	req, err := s.client.newRequest(ctx, "passports/"+strings.ToLower(idOrWallet), nil)
	if err != nil {
		return nil, err
	}
	var envelope struct {
		Passport *Passport `json:"passport" validate:"required"`
	}
	if err := s.client.do(req, &envelope); err != nil {
		return nil, err
	}
	return envelope.Passport, nil
}

// Lookup is Get for those who do not mind: an unknown passport is nil without an error.
func (s *PassportsService) Lookup(ctx context.Context, idOrWallet string) (*Passport, error) {
	p, err := s.Get(ctx, idOrWallet)
	var e *ErrorResponse
	if errors.As(err, &e) && e.Status == http.StatusNotFound {
		return nil, nil
	}
	return p, err
}

// Title is what people are called in lists.
func (p *Passport) Title() string {
	if p.Profile != nil && p.Profile.DisplayName != "" {
		return p.Profile.DisplayName
	}
	if len(p.MainWallet) > 10 {
		return p.MainWallet[:10]
	}
	return "unnamed"
}

// Owns tells whether the wallet was verified for this passport.
func (p *Passport) Owns(wallet string) bool {
	for _, w := range p.VerifiedWallets {
		if strings.EqualFold(w, wallet) {
			return true
		}
	}
	return false
}
