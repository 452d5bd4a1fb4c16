package graph

import (
	"cmp"
	"context"
	"log"
	"slices"
	"strconv"
	"strings"

	"github.com/yesand/troupes/graph/model"
	"github.com/yesand/troupes/internal/builder"
)

// Standing is the resolver for the standing field.
func (r *performerResolver) Standing(ctx context.Context, obj *model.Performer) (*model.Standing, error) {
	p, err := r.Builder.Passport(ctx, obj.Wallet)
	if err != nil {
		log.Printf("standing of %s: %v", obj.ID, err)
		return nil, nil
	}
	out := &model.Standing{
		Score: float64(p.Score) + float64(p.SkillsScore)*0.25,
		Human: p.HumanCheckmark,
	}
	if top := r.Builder.BestCredential(ctx, p.PassportID); top != "" {
		out.TopSkill = &top
	}
	for _, s := range p.PassportSocials {
		out.Handles = append(out.Handles, handle(s))
	}
	slices.SortFunc(out.Handles, func(a, b *model.Handle) int { return cmp.Compare(b.Followers, a.Followers) })
	return out, nil
}

// Shows is the resolver for the shows field.
func (r *performerResolver) Shows(ctx context.Context, obj *model.Performer, first *int) ([]*model.Show, error) {
	shows, err := r.Store.Shows(ctx, obj.ID, *first)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(shows, func(a, b *model.Show) int { return cmp.Compare(b.Score, a.Score) })
	return shows, nil
}

// Performer is the resolver for the performer field.
func (r *queryResolver) Performer(ctx context.Context, id string) (*model.Performer, error) {
	return r.Store.Performer(ctx, id)
}

// Discover is the resolver for the discover field.
func (r *queryResolver) Discover(ctx context.Context, keyword string) ([]*model.Performer, error) {
	people, err := r.Builder.Search(ctx, keyword, 50)
	if err != nil {
		return nil, err
	}
	var out []*model.Performer
	for _, person := range people {
		prof := person.PassportProfile
		if prof == nil || !slices.ContainsFunc(prof.Tags, isStage) {
			continue
		}
		out = append(out, &model.Performer{
			ID:        "p" + strconv.Itoa(person.PassportID),
			StageName: cmp.Or(prof.DisplayName, "Anonymous"),
			Wallet:    person.MainWallet,
		})
	}
	return out, nil
}

func isStage(tag string) bool {
	t := strings.ToLower(tag)
	return t == "improv" || t == "comedy" || t == "theatre"
}

func handle(s builder.PassportSocial) *model.Handle {
	n, err := strconv.Atoi(s.FollowerCount)
	if err != nil {
		n = 0
	}
	return &model.Handle{Source: s.Source, Followers: n}
}

// Performer returns PerformerResolver implementation.
func (r *Resolver) Performer() PerformerResolver { return &performerResolver{r} }

// Query returns QueryResolver implementation.
func (r *Resolver) Query() QueryResolver { return &queryResolver{r} }

type performerResolver struct{ *Resolver }
type queryResolver struct{ *Resolver }
