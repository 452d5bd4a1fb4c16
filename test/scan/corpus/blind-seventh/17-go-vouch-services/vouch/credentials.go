package vouch

import (
	"context"
	"strings"
	"time"
)

type Credential struct {
	ID       string  `json:"id" validate:"required"`
	Type     string  `json:"type" validate:"required"`
	Category string  `json:"category"`
	Name     string  `json:"name"`
	Value    *string `json:"value"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
}

type CredentialsService struct{ client *Client }

type credentialOptions struct {
	PassportID int64 `url:"passport_id"`
}

func (s *CredentialsService) List(ctx context.Context, passportID int64) ([]Credential, error) {
	req, err := s.client.newRequest(ctx, "passport_credentials", credentialOptions{passportID})
	if err != nil {
		return nil, err
	}
	var out struct {
		Credentials []Credential `json:"passport_credentials" validate:"dive"`
	}
	err = s.client.do(req, &out)
	return out.Credentials, err
}

// Has tells whether the passport holds a credential with points. It is false when that cannot be found out.
func (s *CredentialsService) Has(ctx context.Context, passportID int64, kind string) bool {
	list, err := s.List(ctx, passportID)
	if err != nil {
		return false
	}
	for _, c := range list {
		if c.Type == kind && c.Score > 0 {
			return true
		}
	}
	return false
}

// Timestamp accepts null, the empty string and ISO 8601.
type Timestamp struct{ time.Time }

func (t *Timestamp) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(b), `"`)
	if s == "" || s == "null" {
		return nil
	}
	parsed, err := time.Parse(time.RFC3339, s)
	t.Time = parsed
	return err
}
