package main

import (
	"context"

	"github.com/alecthomas/kong"

	"github.com/wallworks/mural-payouts/internal/ledger"
	"github.com/wallworks/mural-payouts/internal/rep"
)

type globals struct {
	Endpoint string `help:"Reputation API." default:"https://api.talentprotocol.com/api/v1" env:"REP_ENDPOINT"`
	Key      string `help:"API key." env:"REP_KEY"`
	Book     string `help:"Ledger file." default:"murals.csv" type:"path"`
}

type cli struct {
	globals

	Plan  planCmd  `cmd:"" help:"Split the budget over the painters of the ledger."`
	Scout scoutCmd `cmd:"" help:"Find painters by name."`
	Show  showCmd  `cmd:"" help:"Show one painter."`
}

func (g *globals) api() *rep.API { return rep.New(g.Endpoint, g.Key) }

func (g *globals) ledger() (*ledger.Book, error) { return ledger.Open(g.Book) }

func main() {
	var c cli
	k := kong.Parse(&c, kong.Name("mural-payouts"), kong.UsageOnError())
	k.BindTo(context.Background(), (*context.Context)(nil))
	k.FatalIfErrorf(k.Run(&c.globals))
}
