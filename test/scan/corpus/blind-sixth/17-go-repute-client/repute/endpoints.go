package repute

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// Passport looks a passport up by its id or by a wallet.
func (c *Client) Passport(ctx context.Context, idOrWallet string) (*Passport, error) {
	res, err := call[one](ctx, c, "/passports/"+url.PathEscape(idOrWallet), nil)
	if err != nil {
		return nil, err
	}
	return res.Passport, nil
}

// Passports walks all pages. It stops at the first error.
func (c *Client) Passports(ctx context.Context, keyword string) iter.Seq2[Passport, error] {
	return func(yield func(Passport, error) bool) {
		q := url.Values{}
		if keyword != "" {
			q.Set("keyword", keyword)
		}
		for n := 1; ; n++ {
			q.Set("page", strconv.Itoa(n))
			res, err := call[page](ctx, c, "/passports", q)
			if err != nil {
				yield(Passport{}, err)
				return
			}
			for _, p := range res.Passports {
				if !yield(p, nil) {
					return
				}
			}
			if res.Pagination.CurrentPage >= res.Pagination.LastPage {
				return
			}
		}
	}
}

// Credentials of a passport.
func (c *Client) Credentials(ctx context.Context, passportID int) ([]Credential, error) {
	q := url.Values{"passport_id": []string{strconv.Itoa(passportID)}}
	res, err := call[credentials](ctx, c, "/passport_credentials", q)
	if err != nil {
		return nil, err
	}
	return res.Items, nil
}

// ScoreOf is for gates: an unknown wallet scores 0.
func (c *Client) ScoreOf(ctx context.Context, wallet string) (float64, error) {
	p, err := c.Passport(ctx, wallet)
	var se *StatusError
	if errors.As(err, &se) && se.Code == http.StatusNotFound {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return p.Score.Or(0), nil
}

// IsHuman never fails, it says no.
func (c *Client) IsHuman(ctx context.Context, wallet string) bool {
	p, err := c.Passport(ctx, wallet)
	if err != nil {
		return false
	}
	return p.HumanCheckmark
}
