package registry

import (
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	day := time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)
	p := &PetPassport{
		Verified: true,
		Score:    5,
		Vaccinations: []Vaccination{
			{Type: "rabies", ValidFrom: day.AddDate(0, -2, 0), ValidUntil: day.AddDate(1, 0, 0)},
		},
	}
	creds := []VetCredential{{ID: "v1", Category: "official-vet"}}
	if got := Check(p, creds, day); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	p.Score = 9
	if got := Check(p, nil, day); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}
