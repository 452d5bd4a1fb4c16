package main

import (
	"log"
	"net/http"
	"os"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/playground"

	"github.com/yesand/troupes/graph"
	"github.com/yesand/troupes/internal/builder"
	"github.com/yesand/troupes/internal/sqlite"
)

func main() {
	store, err := sqlite.Open(os.Getenv("TROUPES_DB"))
	if err != nil {
		log.Fatal(err)
	}
	srv := handler.NewDefaultServer(graph.NewExecutableSchema(graph.Config{
		Resolvers: &graph.Resolver{Store: store, Builder: builder.FromEnv()},
	}))
	http.Handle("/", playground.Handler("Troupes", "/query"))
	http.Handle("/query", srv)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
