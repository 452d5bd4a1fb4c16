package graph

import (
	"context"

	"github.com/yesand/troupes/graph/model"
	"github.com/yesand/troupes/internal/builder"
)

//go:generate go run github.com/99designs/gqlgen generate

type Store interface {
	Performer(ctx context.Context, id string) (*model.Performer, error)
	Shows(ctx context.Context, performer string, first int) ([]*model.Show, error)
}

type Resolver struct {
	Store   Store
	Builder *builder.API
}
