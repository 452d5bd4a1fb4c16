package passport

import (
	"errors"
	"fmt"
	"time"
)

var ErrNotFound = errors.New("no such passport")

// Passport accompanies an instrument with protected materials across borders.
type Passport struct {
	ID          string       `json:"id"`
	PassportID  string       `json:"passport_id"`
	Instrument  string       `json:"instrument"`
	Maker       string       `json:"maker"`
	Materials   []Material   `json:"materials"`
	Profile     OwnerProfile `json:"passport_profile"`
	Credentials []Credential `json:"credentials"`
	ExpiresAt   time.Time    `json:"expires_at"`
}

type OwnerProfile struct {
	DisplayName string `json:"display_name"`
	Desk        string `json:"desk"`
	Location    string `json:"location"`
}

type Material struct {
	Species  string `json:"species"`
	Appendix string `json:"appendix"`
	Part     string `json:"part"`
}

// Credential is an attestation by a luthier or an authority.
type Credential struct {
	Name     string    `json:"name"`
	Category string    `json:"category"`
	Issuer   string    `json:"issuer"`
	EarnedAt time.Time `json:"earned_at"`
}

func (p Passport) NeedsPermit() bool {
	for _, m := range p.Materials {
		if m.Appendix == "I" || m.Appendix == "II" {
			return true
		}
	}
	return false
}

func (p Passport) Problems(on time.Time) []string {
	var out []string
	if p.ExpiresAt.Before(on) {
		out = append(out, fmt.Sprintf("%s expired on %s", p.PassportID, p.ExpiresAt.Format(time.DateOnly)))
	}
	if p.NeedsPermit() && len(p.Credentials) == 0 {
		out = append(out, p.Profile.DisplayName+": no attestation on file")
	}
	return out
}
