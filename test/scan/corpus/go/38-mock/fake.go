package app

import "context"

type fakeReputation struct{ score float64 }

func (f fakeReputation) Passport(context.Context, string) (*Passport, error) {
	return &Passport{Score: f.score}, nil
}

func (f fakeReputation) Credentials(context.Context, string) ([]Credential, error) {
	return nil, nil
}
