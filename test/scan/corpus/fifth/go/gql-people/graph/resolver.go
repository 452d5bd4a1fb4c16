package graph

import (
	"context"
	"strconv"

	"example.org/gql-people/graph/model"
	"example.org/gql-people/store"
)

type Resolver struct {
	Up    *Upstream
	Store *store.Store
}

func (r *Resolver) People(ctx context.Context, name string) ([]*model.Person, error) {
	found, err := r.Up.search(ctx, name)
	if err != nil {
		return nil, err
	}
	people := make([]*model.Person, 0, len(found))
	for _, f := range found {
		person := &model.Person{
			ID:    strconv.Itoa(f.PassportId), // read: passports[].passport_id
			Score: int(f.Score), // read: passports[].score
			Human: f.HumanCheckmark, // read: passports[].human_checkmark
		}
		if prof := f.PassportProfile; prof != nil { // read: passports[].passport_profile
			person.Name = prof.DisplayName // read: passports[].passport_profile.display_name
			person.About = prof.Bio // read: passports[].passport_profile.bio
		}
		if f.LastCalculatedAt != nil { // read: passports[].last_calculated_at
			person.Updated = *f.LastCalculatedAt // read: passports[].last_calculated_at
		}
		people = append(people, person)
	}
	return people, nil
}

func (r *Resolver) Teams(ctx context.Context) ([]*model.Team, error) {
	rows, err := r.Store.Teams(ctx)
	if err != nil {
		return nil, nil
	}
	teams := []*model.Team{}
	for _, row := range rows {
		teams = append(teams, &model.Team{Name: row.DisplayName, Score: int(row.Score), Location: row.Location})
	}
	return teams, nil
}
