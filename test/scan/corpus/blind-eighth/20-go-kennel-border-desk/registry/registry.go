// Package registry talks to the veterinary registry.
package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

var ErrUnknownChip = errors.New("registry: chip is not known")

// PetPassport is the travel document of one animal.
type PetPassport struct {
	Number       string        `json:"passport_number"`
	Chip         string        `json:"chip"`
	Name         string        `json:"name"`
	Species      string        `json:"species"`
	Owner        Owner         `json:"owner"`
	Score        int           `json:"score"` // body condition, 1 to 9
	Verified     bool          `json:"verified"`
	Vaccinations []Vaccination `json:"vaccinations"`
	SignedBy     string        `json:"signed_by"`
	IssuedAt     time.Time     `json:"issued_at"`
}

type Owner struct {
	DisplayName string `json:"display_name"`
	Location    string `json:"location"`
}

type Vaccination struct {
	Type       string    `json:"type"`
	Batch      string    `json:"batch"`
	ValidFrom  time.Time `json:"valid_from"`
	ValidUntil time.Time `json:"valid_until"`
}

// VetCredential is a licence of a veterinarian.
type VetCredential struct {
	ID       string     `json:"id"`
	Category string     `json:"category"`
	Name     string     `json:"name"`
	Revoked  *time.Time `json:"revoked_at"`
}

type Registry struct {
	base  string
	token string
	http  *http.Client
}

func New(base, token string) *Registry {
	return &Registry{base: base, token: token, http: &http.Client{Timeout: 10 * time.Second}}
}

func (r *Registry) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	res, err := r.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return ErrUnknownChip
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("registry: %s: %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(out)
}

func (r *Registry) PassportByChip(ctx context.Context, chip string) (*PetPassport, error) {
	var p PetPassport
	if err := r.get(ctx, "/v2/animals/"+url.PathEscape(chip)+"/passport", &p); err != nil {
		return nil, err
	}
	return &p, nil
}

func (r *Registry) PassportsOf(ctx context.Context, kennel string) ([]PetPassport, error) {
	var all []PetPassport
	for page := 1; ; page++ {
		var body struct {
			Passports  []PetPassport `json:"passports"`
			Pagination struct {
				Page  int `json:"page"`
				Pages int `json:"pages"`
			} `json:"pagination"`
		}
		path := fmt.Sprintf("/v2/passports?kennel=%s&page=%d", url.QueryEscape(kennel), page)
		if err := r.get(ctx, path, &body); err != nil {
			return nil, err
		}
		all = append(all, body.Passports...)
		if body.Pagination.Page >= body.Pagination.Pages {
			return all, nil
		}
	}
}

func (r *Registry) VetCredentials(ctx context.Context, vet string) ([]VetCredential, error) {
	var body struct {
		Credentials []VetCredential `json:"credentials"`
	}
	err := r.get(ctx, "/v2/vets/"+url.PathEscape(vet)+"/credentials", &body)
	return body.Credentials, err
}
