package registry

import "time"

// Findings are the reasons against a journey.
type Findings []string

// Check looks at a passport on the day of the journey.
func Check(p *PetPassport, creds []VetCredential, day time.Time) Findings {
	var f Findings
	if !p.Verified {
		f = append(f, "passport is not verified")
	}
	if p.Score < 3 || p.Score > 7 {
		f = append(f, "body condition needs a vet's look")
	}
	rabies := false
	for _, v := range p.Vaccinations {
		// 21 days must have passed since the first shot
		if v.Type == "rabies" && day.After(v.ValidFrom.AddDate(0, 0, 21)) && day.Before(v.ValidUntil) {
			rabies = true
		}
	}
	if !rabies {
		f = append(f, "no valid rabies vaccination")
	}
	licensed := false
	for _, c := range creds {
		if c.Category == "official-vet" && (c.Revoked == nil || c.Revoked.After(p.IssuedAt)) {
			licensed = true
		}
	}
	if !licensed {
		f = append(f, "signing vet had no licence")
	}
	return f
}
